import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where programs are looked for; some that serve are not in everybody's PATH. */
const DIRS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];

/** The reason to skip the tests that want a program of Debian's where it is not installed; in CI these fail instead. */
export function skipWithout(program: string): string | false {
  const isInstalled = DIRS.some(dir => existsSync(join(dir, program)));
  return isInstalled || process.env.CI ? false : `${program} is not installed`;
}
