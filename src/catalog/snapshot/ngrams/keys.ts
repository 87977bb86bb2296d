/**
 * The key of an n-gram, which is a UTF-16 unit or several without white space: its last unit, and the place of what precedes
 * it among the frequent n-grams, or {@link NONE}.
 */
export function keyOf(prefix: number, unit: number): number {
  return ((prefix + 1) << 16) | unit;
}

/** In place of an n-gram that there is not. */
export const NONE = -1;

/** How many n-grams can be frequent: V8 is fastest with positive integers of 32 bits. */
export const MAX_FREQUENT = 2 ** 15 - 1;

/** The last unit of an n-gram. */
export function lastUnit(key: number): number {
  return key & 0xffff;
}

export const SPACE = 0x20;

/** Whether a unit is white space, which no term contains. */
export function isSpace(unit: number): boolean {
  return unit === SPACE || (unit >= 9 && unit <= 13);
}
