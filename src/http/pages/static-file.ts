import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bytesOf } from '../../answer/body.ts';
import { type Coding, compress, MIN_COMPRESSED, varyWith } from '../../answer/codings.ts';
import { matches, strongTag } from '../../answer/conditional.ts';
import { JSON_TYPE } from '../../answer/envelope.ts';

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

/** By specifier, with the coding before it. */
const files = new Map<string, Promise<StaticFile>>();

/**
 * Sends a file of the package, named by an import specifier such as `#page/main.js`, compressed if the client accepts it.
 * The file is read and compressed on first use, and all responses share its bytes.
 */
export async function sendFile(
  { headers, server }: FastifyRequest,
  reply: FastifyReply,
  specifier: string,
): Promise<FastifyReply> {
  const plain = await fileOf(specifier, () => readFile(new URL(import.meta.resolve(specifier))));
  const compression = plain.content.length >= MIN_COMPRESSED ? server.compression : undefined;
  const coding = compression?.codingFor(headers['accept-encoding']?.toString());
  const { content, tag } = coding
    ? await fileOf(`${coding} ${specifier}`, () => compressedWhole(plain.content, coding))
    : plain;
  reply.headers({ 'cache-control': 'no-cache', etag: tag });
  if (compression) reply.header('vary', varyWith(reply.getHeader('vary')));
  if (matches(headers['if-none-match'], tag)) return reply.code(304).send();
  if (coding) reply.header('content-encoding', coding);
  return reply.type(types[extname(specifier)] ?? '').send(content);
}

function fileOf(key: string, read: () => Promise<Buffer>): Promise<StaticFile> {
  const known = files.get(key);
  if (known) return known;
  const file = read().then(content => ({ content, tag: strongTag(content) }));
  files.set(key, file);
  // After a failure, the next request tries again.
  file.catch(() => files.delete(key));
  return file;
}

async function compressedWhole(content: Buffer, coding: Coding): Promise<Buffer> {
  const compressed = await compress(content, coding, 'small');
  return bytesOf(compressed.followedBy(''));
}
