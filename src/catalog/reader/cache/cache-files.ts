import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type Fs, unlessMissing, writeWhole } from '../../../files/atomic-write.ts';

/** In bytes. */
const HASH_LENGTH = 32;
const LENGTH_BYTES = 4;

/** Writes parts to a file, after their checksum. A power loss may damage it: the checksum does not match then. */
export async function writeParts(fs: Fs, path: string, parts: readonly Uint8Array[]): Promise<void> {
  const length = parts.reduce((sum, part) => sum + LENGTH_BYTES + part.length, HASH_LENGTH);
  const content = Buffer.alloc(length);
  let at = HASH_LENGTH;
  for (const part of parts) {
    at = content.writeUInt32LE(part.length, at);
    content.set(part, at);
    at += part.length;
  }
  content.set(checksumOf(path, content.subarray(HASH_LENGTH)));
  await writeWhole(fs, path, content, false);
}

/** Reads the parts of a file; undefined if it is missing. @throws Error if it is damaged. */
export async function readParts(fs: Fs, path: string): Promise<Buffer[] | undefined> {
  const content = await fs.readBytes(path).catch(unlessMissing);
  if (!content) return undefined;
  const rest = content.subarray(HASH_LENGTH);
  if (!checksumOf(path, rest).equals(content.subarray(0, HASH_LENGTH)))
    throw new Error('its checksum does not match');
  const parts: Buffer[] = [];
  for (let at = 0; at < rest.length; ) {
    const start = at + LENGTH_BYTES;
    at = start + rest.readUInt32LE(at);
    parts.push(rest.subarray(start, at));
  }
  return parts;
}

/** Also of the name, so that no file passes for another one. */
function checksumOf(path: string, content: Buffer): Buffer {
  return createHash('sha256').update(basename(path)).update(content).digest();
}
