import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matches, strongTag } from '../response/conditional.ts';
import { JSON_TYPE } from '../response/envelope.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': JSON_TYPE,
  '.yaml': 'application/yaml', // RFC 9512
};

interface StaticFile {
  content: Buffer;
  tag: string;
}

const files = new Map<string, Promise<StaticFile>>();

/**
 * Sends a file of the package, named by an import specifier such as `#page/main.js`. The file is read on first use, and
 * all responses share its bytes.
 */
export async function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  specifier: string,
): Promise<FastifyReply> {
  const { content, tag } = await fileOf(specifier);
  reply.headers({ 'cache-control': 'no-cache', etag: tag });
  if (matches(headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.type(types[extname(specifier)] ?? '').send(content);
}

function fileOf(specifier: string): Promise<StaticFile> {
  const known = files.get(specifier);
  if (known) return known;
  const file = readStatic(specifier);
  files.set(specifier, file);
  // After a failure, the next request tries again.
  file.catch(() => files.delete(specifier));
  return file;
}

async function readStatic(specifier: string): Promise<StaticFile> {
  const content = await readFile(new URL(import.meta.resolve(specifier)));
  return { content, tag: strongTag(content) };
}
