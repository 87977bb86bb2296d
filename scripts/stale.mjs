import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** What else than src/ a build depends on. */
const MADE_WITH = [
  'package-lock.json',
  'package.json',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'scripts/declarations.mjs',
  ...filesIn('scripts/licences'),
  ...filesIn('scripts/openapi'),
  'tsconfig.json',
  'tsconfig.build.json',
];

/** Whether dist/ is missing or older than what it is made of. */
export function isStale() {
  const built = statSync(join(ROOT, 'dist/main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  // Folders too: a deleted file shows in the time of its folder.
  const sources = filesIn('src').filter(name => !name.endsWith('.md'));
  return ['src', ...sources, ...MADE_WITH].some(file => statSync(join(ROOT, file)).mtimeMs > built);
}

/** All files and folders in a folder. @param {string} folder */
function filesIn(folder) {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.map(name => join(folder, name));
}
