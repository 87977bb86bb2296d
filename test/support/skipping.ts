import { existsSync } from 'node:fs';
import { isStale } from '../../scripts/stale.mjs';
import { findProgram } from './programs.ts';

/** The reason to skip what takes too long for `npm test`, which sets this variable. */
export const skipInQuickRun: string | false =
  process.env.TEST_QUICK !== undefined && 'only in npm run test:all';

/** How often a random test is tried: fewer times in `npm test`. */
export function rounds(all: number, quick: number): number {
  return skipInQuickRun ? quick : all;
}

/** The long form of the soak tests, for a release: `SOAK=long npm run soak`. */
export const isLong = process.env.SOAK === 'long';

/** The reason to skip the tests of the long form alone. */
export const skipUnlessLong: string | false = !isLong && 'only with SOAK=long';

/** How many rounds a soak test takes: as many as show something new, or those of the long form. */
export function soakRounds(usual: number, long: number): number {
  return isLong ? long : usual;
}

/** The reason to skip the tests that need a program of Debian where it is not installed; in CI these fail instead. */
export function skipWithout(program: string): string | false {
  return skipInQuickRun || skipUnless(findProgram(program), `${program} is not installed`);
}

/** The same for openpyxl, which is a package of the system's Python. */
export function skipWithoutOpenpyxl(): string | false {
  return skipUnless(existsSync('/usr/lib/python3/dist-packages/openpyxl'), 'openpyxl is not installed');
}

/** The reason to skip the tests of what is built where that is older than the sources; in CI these fail instead. */
export function skipWithoutBuild(): string | false {
  return skipUnless(!isStale(), 'dist/ is not up to date: npm run build');
}

function skipUnless(isThere: unknown, reason: string): string | false {
  return isThere || process.env.CI ? false : reason;
}
