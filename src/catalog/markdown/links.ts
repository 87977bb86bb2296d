/** Where relative addresses are resolved. */
const BASE = 'http://base.invalid/news/';

/** Addresses that can run a program, or bring a page along: those that the CommonMark reference implementation leaves out. */
const UNSAFE: ReadonlySet<string> = new Set(['javascript:', 'vbscript:', 'data:', 'file:']);

/** Whether nobody should follow a link. Reads the address as browsers do (WHATWG URL), which ignore tabs in a scheme. */
export function isUnsafe(address: string): boolean {
  return UNSAFE.has(resolve(address)?.protocol ?? '');
}

/**
 * The file in the images directory that an image means, whatever folder it is in where the text was written; undefined if it
 * is on another server, or elsewhere on this one.
 */
export function imageFile(address: string): string | undefined {
  const url = resolve(address);
  if (url?.origin !== new URL(BASE).origin) return undefined;
  const { pathname } = url;
  if (address.startsWith('/') && !/^\/images\/[^/]*$/.test(pathname)) return undefined;
  return decoded(pathname.slice(pathname.lastIndexOf('/') + 1)) || undefined;
}

function resolve(address: string): URL | undefined {
  return URL.canParse(address, BASE) ? new URL(address, BASE) : undefined;
}

/** An encoded name that is no UTF-8 is the name of no file. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
