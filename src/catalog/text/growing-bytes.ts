/** How many bytes of UTF-8 a UTF-16 unit may take. */
const MAX_UTF8_BYTES = 3;

/** Collects texts as UTF-8 in a buffer that doubles. The system provides memory only for the part in use. */
export function openBytes() {
  let bytes = Buffer.allocUnsafeSlow(2 ** 16);
  let length = 0;
  return {
    /** Returns where the text ends. */
    add(text: string): number {
      const most = length + MAX_UTF8_BYTES * text.length;
      if (most > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(most, 2 * bytes.length));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      length += bytes.write(text, length);
      return length;
    },
    length: () => length,
    bytes: () => bytes.subarray(0, length),
  };
}
