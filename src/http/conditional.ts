import { hash } from 'node:crypto';
import type { onSendHookHandler } from 'fastify';

/**
 * An onSend hook that tags a successful answer with a hash of its content, and answers 304 without a body where the
 * client has it already (RFC 9110, sections 8.8.3 and 13.1.2). Caches may keep such answers and have to ask each time.
 */
export function conditional(strength: 'strong' | 'weak'): onSendHookHandler<unknown> {
  const prefix = strength === 'weak' ? 'W/' : '';
  return (request, reply, payload, done) => {
    if (reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload);
    const tag = `"${hash('sha1', payload, 'base64url')}"`;
    reply.header('etag', prefix + tag).header('cache-control', 'no-cache');
    if (!matches(request.headers['if-none-match'], tag)) return done(null, payload);
    reply.code(304).removeHeader('content-type');
    done(null, null);
  };
}

/** If-None-Match compares weakly: `W/` does not count. */
function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || (header.match(/"[^"]*"/g)?.includes(tag) ?? false);
}
