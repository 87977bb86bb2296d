import type { Fault, Surroundings } from './surroundings.ts';

/** What is wrong with the commas, brackets and rows around the error. */
export function structureFault({ before, after }: Surroundings, code: string): Fault | undefined {
  const rest = before.trimEnd();
  const previous = rest.slice(-1);
  const next = after.slice(0, 1);
  const here = (message: string) => ({ back: 0, message });
  switch (code) {
    case 'PropertyNameExpected':
    case 'ValueExpected':
      if (previous === ':') return here('a value is missing after the colon: write one, or null for none');
      if (next === ',') return here('this comma has nothing before it: delete it');
      if (previous !== ',' || !/^[\]}]/.test(next)) return undefined;
      return {
        back: before.length - rest.length + 1,
        message: `this comma has nothing after it but ${next}: delete the comma`,
      };
    case 'CommaExpected':
      if (next === ']') return here('the closing } of the row before this is missing: add it');
      if (next === '}') return here('this } closes nothing: delete it');
      if (next !== '{') return undefined;
      return previous === '}'
        ? here('a comma is missing between two rows: add it after the } before this')
        : here('the closing } of the row before this is missing: add it, and a comma');
    case 'EndOfFileExpected':
      if (next === ']' || next === '}') return here(`this ${next} closes nothing: delete it`);
      if (next !== '[') return undefined;
      return here(
        'a second array begins here: put all rows between one [ and one ], with a comma after every row but the last',
      );
    default:
      return undefined;
  }
}

/** In UTF-16 units. */
const MAX_LOOK = 200;

/** What to do about a file whose first value, at `offset`, is not an array. */
export function notAnArray(text: string, offset: number): string {
  const start = text.slice(offset, offset + MAX_LOOK);
  if (/^\{\s*"[^"]*"\s*:\s*\[/.test(start)) {
    return 'the array of rows is inside another value: keep only the rows from [ to ], and delete what surrounds them';
  }
  return start.startsWith('{')
    ? 'the rows are not in an array: write [ before the first row, a comma between two rows, and ] after the last one'
    : 'this is not an array of rows: put all rows between one [ and one ]';
}
