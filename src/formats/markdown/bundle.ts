/** A file of the folder of Markdown files. */
export interface NamedContent {
  name: string;
  content: Buffer;
}

/** The files as one content: a line of JSON with their names and lengths, then their bytes. */
export function bundle(files: readonly NamedContent[]): Buffer {
  const index = JSON.stringify(files.map(({ name, content }) => [name, content.length]));
  return Buffer.concat([Buffer.from(`${index}\n`), ...files.map(({ content }) => content)]);
}

/** The files of a {@link bundle}, which share its memory. */
export function unbundle(content: Buffer): NamedContent[] {
  const end = content.indexOf('\n');
  const index: [string, number][] = JSON.parse(content.toString('utf8', 0, end));
  let at = end + 1;
  return index.map(([name, length]) => {
    const start = at;
    at += length;
    return { name, content: content.subarray(start, at) };
  });
}
