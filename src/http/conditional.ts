import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest, onSendHookHandler, preHandlerHookHandler } from 'fastify';
import type { Snapshot } from '../catalog/snapshot.ts';

/** How many tags of a set are remembered; they are all forgotten where clients ask for more. */
const MAX_TAGS = 10_000;

/**
 * Names an answer by its ETag, and sends 304 instead where the client has it already (RFC 9110, sections 8.8.3 and
 * 13.1.2): returns whether it did.
 */
export function sentNotModified(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  const isFresh = isTaggedFresh(request, reply, tag);
  if (isFresh) reply.send();
  return isFresh;
}

/** Caches may keep what has a tag, and have to ask each time. Returns whether the client needs no body. */
function isTaggedFresh(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  reply.header('etag', tag).header('cache-control', 'no-cache');
  if (!matches(request.headers['if-none-match'], tag)) return false;
  reply.code(304).removeHeader('content-type');
  return true;
}

/** If-None-Match compares weakly: `W/` does not count. */
function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || (header.match(/"[^"]*"/g)?.includes(tag.replace(/^W\//, '')) ?? false);
}

/** A tag that is the same for the same content, and no other. */
export function tagOf(content: string): string {
  return `"${hash('sha1', content, 'base64url')}"`;
}

/**
 * Hooks for routes whose answers depend on the set and the query alone: strong tags, made of the content. The tag of an
 * answer that was given before is at hand, so that 304 takes no query, no JSON and no hash.
 */
export function strongTags() {
  const known = new WeakMap<Snapshot, Map<string, string>>();
  const remember = (snapshot: Snapshot, key: string, tag: string) => {
    const tags = known.get(snapshot);
    if (tags && tags.size < MAX_TAGS) tags.set(key, tag);
    else known.set(snapshot, new Map([[key, tag]]));
  };

  const preHandler: preHandlerHookHandler = (request, reply, done) => {
    const tag = known.get(request.snapshot)?.get(keyOf(request));
    if (tag === undefined || !sentNotModified(request, reply, tag)) done();
  };
  const onSend: onSendHookHandler<unknown> = (request, reply, payload, done) => {
    if (reply.statusCode !== 200 || reply.hasHeader('etag')) return done(null, payload);
    const tag = tagOf(String(payload));
    remember(request.snapshot, keyOf(request), tag);
    done(null, isTaggedFresh(request, reply, tag) ? null : payload);
  };
  return { preHandler, onSend };
}

/** Which answer of its route a request asks for: its parameters in the order of their schema. */
function keyOf({ query }: FastifyRequest): string {
  return Object.values(query ?? {}).join();
}
