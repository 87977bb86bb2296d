/** What state files say, as read by another program than the one that is tested. Texts are bytes (latin1). */

/** Whether a text is a whole file of counts, by whomever it was written. */
export function isCounts(text: string): boolean {
  const { format, counts } = parsed(text);
  const isObject = typeof counts === 'object' && counts !== null && !Array.isArray(counts);
  return format === 1 && isObject && countsIn(text).length === Object.keys(counts).length;
}

/** Whether a text says that a later version has written it. */
export function isNewer(text: string): boolean {
  const { format } = parsed(text);
  return Number.isInteger(format) && Number(format) > 1 && Number(format) <= 999;
}

/** The counts in a text by news id, as far as they are any. */
export function countsIn(text: string): [id: number, count: number][] {
  return Object.entries(Object(parsed(text).counts)).flatMap(([id, count]) => {
    const isCount = typeof count === 'number' && Number.isSafeInteger(count) && count >= 0;
    return isCount && /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id)) ? [[Number(id), count]] : [];
  });
}

/** What a text says, or an empty object where that is no JSON. */
export function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(Buffer.from(text, 'latin1').toString()));
  } catch {
    return {};
  }
}
