/** Line breaks and spaces, in UTF-8 and UTF-16. */
const BLANKS = [0, 9, 10, 13, 32];

/** What to do about a file that is the beginning of the one before; undefined if only blanks are gone, or it is not. */
export function cutOffFile(file: string, content: Buffer, before: Buffer): string | undefined {
  const { length } = content;
  if (length === 0 || length >= before.length || !before.subarray(0, length).equals(content))
    return undefined;
  if (before.subarray(length).every(byte => BLANKS.includes(byte))) return undefined;
  return `${file} is only the beginning of the file that is served: save the whole file again`;
}
