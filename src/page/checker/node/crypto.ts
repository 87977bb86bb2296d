import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** As `createHash` of node:crypto, but always for SHA-256 in hexadecimal: that of Web Crypto is asynchronous. */
export function createHash() {
  const hash = sha256.create();
  const sha = {
    update(data: string | Uint8Array) {
      hash.update(typeof data === 'string' ? new TextEncoder().encode(data) : data);
      return sha;
    },
    digest: () => bytesToHex(hash.digest()),
  };
  return sha;
}

/** As `hash` of node:crypto, but always for SHA-1. */
export function hash(_algorithm: string, data: Uint8Array): string {
  return bytesToHex(sha1(data));
}
