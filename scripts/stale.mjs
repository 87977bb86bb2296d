import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What else than src/ a build depends on. */
const MADE_WITH = [
  'package-lock.json',
  'package.json',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
];
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Whether dist/ is missing or older than what it is made of. */
export function isStale() {
  const built = statSync(join(ROOT, 'dist/main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  // Folders too: a deleted file shows in the time of its folder.
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).map(name =>
    join('src', name),
  );
  return ['src', ...sources, ...MADE_WITH].some(file => statSync(join(ROOT, file)).mtimeMs > built);
}
