import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Stands for the Fastify app of the service in a thread, where Fastify would take as much memory as all the rest. */
export interface RouteCollector {
  /** To register the fast path with, and then the routes that it answers. */
  app: FastifyInstance;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Runs the hooks of an app that closes. */
  stop(): void;
}

type Hook = (...args: unknown[]) => unknown;

/** Collects routes for the fast path; `forward` handles what that leaves. */
export function openRouteCollector(
  forward: (request: IncomingMessage, response: ServerResponse) => void,
): RouteCollector {
  const hooks: Record<string, Hook[]> = {};
  const instance = (prefix: string): object => ({
    addHook(name: string, hook: Hook) {
      hooks[name] = [...(hooks[name] ?? []), hook];
    },
    get(url: string, { schema }: { schema: object }, handler: Hook) {
      for (const hook of hooks.onRoute ?? []) hook({ method: 'GET', url: prefix + url, schema, handler });
    },
    register(plugin: Hook, options: { prefix?: string } = {}) {
      plugin(instance(prefix + (options.prefix ?? '')), options, () => {});
    },
  });
  const app = Object.assign(instance(''), { routing: forward });
  return {
    // What the fast path and the routes of the API use of an app.
    app: app as unknown as FastifyInstance,
    handle: (request, response) => app.routing(request, response),
    stop() {
      for (const hook of hooks.preClose ?? []) hook();
    },
  };
}
