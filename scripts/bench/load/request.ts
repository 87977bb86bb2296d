/** A GET as it is written to the connection; `tag` makes it conditional. */
export function requestOf(path: string, tag?: string): string {
  const condition = tag === undefined ? '' : `If-None-Match: ${tag}\r\n`;
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${condition}\r\n`;
}

/** The ETag that the head of an answer tells. */
export function tagIn(head: string): string | undefined {
  return /\r\netag: *([^\r]+)/i.exec(head)?.[1];
}
