import { findProgram } from '../scripts/replicas/find-program.ts';

/** The reason to skip the tests that want a program of Debian's where it is not installed; in CI these fail instead. */
export function skipWithout(program: string): string | false {
  return findProgram(program) || process.env.CI ? false : `${program} is not installed`;
}
