import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program is installed. Some that serve are not in everybody's PATH. */
export function findProgram(name: string): string | undefined {
  const dirs = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return dirs.map(dir => join(dir, name)).find(path => existsSync(path));
}
