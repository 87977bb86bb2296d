/**
 * A request target in origin-form. In absolute-form (RFC 9112, section 3.2.2), it names the scheme and the host as well,
 * which Fastify's router ignores but `request.url` keeps.
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`;
}

/** The path of a request target as Fastify's router reads it: whatever the target's form, and with escapes decoded. */
export function routedPath(target: string): string {
  const [path = ''] = originForm(target).split(/[?#]/, 1);
  return isDecodable(path) ? decodeURI(path) : path;
}

/** Whether all escapes can be decoded. Fastify's query parser leaves the others as they are. */
export function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
