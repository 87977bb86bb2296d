/** What is wrong with a file that is not UTF-8. */
export interface Utf8Fault {
  /** Whether the file is UTF-8 but for some damage, rather than in another encoding. */
  isDamage: boolean;
  /** The index of the first byte that is not UTF-8. */
  firstInvalid: number;
}

/**
 * Examines bytes that are not UTF-8. They are UTF-8 with some damage if they begin with its byte order mark, or if at
 * least as many characters of several bytes are UTF-8 as bytes are not: sentences in other encodings have two to ten
 * times as many bytes that are not.
 */
export function examineUtf8(bytes: Buffer): Utf8Fault {
  let valid = 0;
  let invalid = 0;
  let firstInvalid = bytes.length;
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at);
    if (length > 1) valid += 1;
    if (length === 0) {
      invalid += 1;
      firstInvalid = Math.min(firstInvalid, at);
    }
    at += length || 1;
  }
  const hasMark = bytes.toString('hex', 0, 3) === 'efbbbf';
  return { isDamage: hasMark || (valid > 0 && valid >= invalid), firstInvalid };
}

/** The number of bytes of the character that begins at the index; 0 if they are not UTF-8. */
function lengthAt(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (!maySecondFollow(lead, bytes[at + 1] ?? 0)) return 0;
  for (let next = at + 2; next < at + length; next += 1) {
    if (!isContinuation(bytes[next] ?? 0)) return 0;
  }
  return length;
}

/** Excludes overlong forms, surrogates and what is beyond Unicode. */
function maySecondFollow(lead: number, second: number): boolean {
  if (!isContinuation(second)) return false;
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second < 0xa0;
  if (lead === 0xf0) return second >= 0x90;
  return lead !== 0xf4 || second < 0x90;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** What programs call UTF-8 where they save such a file. */
export function unicodeFormat(file: string): string {
  return file.endsWith('.csv') ? '"CSV UTF-8"' : 'UTF-8';
}
