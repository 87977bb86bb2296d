import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeFiles } from '../support/catalogs.ts';
import { codeBlocks, sectionOf } from '../support/manual.ts';
import { root } from '../support/package.ts';
import { startProgram } from '../support/programs.ts';
import { skipWithoutBuild } from '../support/skipping.ts';
import { until } from '../support/until.ts';

const section = sectionOf('README.md', 'Your own catalog');
const steps = codeBlocks(section, 'console').flatMap(block => block.split(/^\$ /m).slice(1));
const [template = '', serve = '', ask = ''] = steps.map(step => step.trimEnd());

/** A clone after `npm ci` and a build, whose `data/state` is its own. */
async function openClone(t: TestContext): Promise<string> {
  const dir = await writeFiles(t, {});
  await mkdir(join(dir, 'data'));
  const parts = ['data/catalog', 'data/images', 'dist', 'node_modules', 'package.json', 'scripts', 'src'];
  for (const name of parts) await symlink(join(root, name), join(dir, name));
  return dir;
}

test('the README leads from a clone to a price of one’s own', { skip: skipWithoutBuild() }, async t => {
  const clone = await openClone(t);
  const [templateLine = '', ...written] = template.split('\n');
  const start = (line: string) => startProgram(t, ['sh', '-c', line], { cwd: clone });
  const { code, stdout, stderr } = await start(templateLine).exit;
  assert.equal(code, 0, stderr);
  assert.ok(stdout.endsWith(`\n${written.join('\n')}\n`), stdout);

  const serving = start(`${serve.split('\n')[0]} --port 0`);
  const address = await serving.listening();
  const [askLine = '', price] = ask.split('\n');
  const [, path] = /^curl -s 'http:\/\/127\.0\.0\.1:3000(\S+)' \| jq '\.data\.price'$/.exec(askLine) ?? [];
  const served = async () =>
    (await fetch(`${address}${path}`)).json() as Promise<{ data: { price: number } }>;
  assert.equal((await served()).data.price, undefined, 'the example is hidden');
  const page = await fetch(`${address}/`);
  assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);

  const edits = Array.from(section.matchAll(/in\s`(\S+)`\swrite\s`(\S+)`\sin\splace\sof\s`(\S+)`/g));
  assert.equal(edits.length, 3);
  for (const [, file = '', after = '', before = ''] of edits) {
    const text = await readFile(join(clone, file), 'utf8');
    assert.ok(text.includes(before), file);
    await writeFile(join(clone, file), text.replace(before, after));
  }
  await until(t, async () => (await served()).data.price === Number(price));

  await serving.end();
  assert.deepEqual((await readdir(join(clone, 'shop'))).sort(), ['catalog', 'state']);
  assert.deepEqual((await readdir(join(clone, 'data'))).sort(), ['catalog', 'images']);
});
