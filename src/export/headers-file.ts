import type { OutgoingHttpHeaders } from 'node:http';

/** Headers of one answer or one connection, which a static host sets by itself or cannot know. */
const ownOfEach = new Set([
  ...['accept-ranges', 'connection', 'content-length', 'date', 'etag', 'keep-alive', 'last-modified', 'link'],
]);

/** Collects the headers that all files of a pattern have in common. */
export interface HeadersFile {
  add(pattern: string, headers: OutgoingHttpHeaders): void;
  /** The rules of `_headers`, as Netlify, Cloudflare Pages and others read it. `basePath` goes before each pattern. */
  text(basePath: string): string;
}

/**
 * Rules for patterns that do not overlap: hosts join the values of a header that several rules set. A few rules are enough
 * for any number of files, since Cloudflare Pages reads no more than 100.
 */
export function openHeadersFile(): HeadersFile {
  const rules = new Map<string, Map<string, string>>();
  return {
    add(pattern, headers) {
      const common = rules.get(pattern);
      if (!common) return void rules.set(pattern, new Map(ofHost(headers)));
      for (const [name, value] of common) if (String(headers[name]) !== value) common.delete(name);
    },
    text(basePath) {
      const lines = ([name, value]: [string, string]) => `  ${name}: ${value}\n`;
      return Array.from(
        rules,
        ([pattern, headers]) => `${basePath}${pattern}\n${Array.from(headers, lines).join('')}`,
      ).join('\n');
    },
  };
}

function ofHost(headers: OutgoingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || ownOfEach.has(name) ? [] : [[name, String(value)]],
  );
}
