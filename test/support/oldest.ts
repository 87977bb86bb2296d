import { join } from 'node:path';
import Fastify from 'fastify';

/** A folder with the packages that a project may have beside this one, in their oldest versions. CI installs it. */
export const oldestPackages = process.env.OLDEST_PACKAGES;

/** The oldest Fastify that a host of the plugin may have. */
async function oldestFastify(): Promise<typeof Fastify> {
  return (await import(join(oldestPackages ?? '', 'fastify', 'fastify.js'))).default;
}

/** Each Fastify that a host of the plugin may have here, by its version. */
export const fastifies = [Fastify, ...(oldestPackages === undefined ? [] : [await oldestFastify()])].map(
  fastify => [fastify().version, fastify] as const,
);
