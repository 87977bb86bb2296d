const values = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** What {@link parseBoolean} accepts, for messages. */
export const expectedBoolean = 'true, false, 1 or 0';

/** Parses a boolean of a setting, a query or a JSON file; undefined for any other text, including other letter case. */
export function parseBoolean(text: string): boolean | undefined {
  return values.get(text);
}
