import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogNames } from '../../src/contract/columns.ts';
import { differencesOf, type SetContent } from '../../src/set/compare/differences.ts';
import { holdReasons, holdRules } from '../../src/set/hold-back/hold-back.ts';
import { accidents, type Deeds, filesAround, harmlessEdits } from '../support/catalog/accidents.ts';
import { readFiles } from '../support/catalog/read-source.ts';
import type { Files } from '../support/catalogs.ts';

/** The rows of the set in some files, and its problems. The rows are undefined if it has errors. */
async function read(files: Files) {
  const { report, content } = await readFiles(files);
  return { set: content, codes: report.problems.map(({ code }) => code) };
}

/** What the rules say about a set that replaces another one, a sentence each. */
function holdsOf(before: SetContent, set: SetContent) {
  const now = Date.now() / 1000;
  const former = new Map(catalogNames.map(name => [name, before[name]]));
  const differences = differencesOf(former, set, now);
  return holdReasons({ set, differences, now, cutOff: [], gone: catalog => `${catalog} is gone` });
}

/** The codes of what a deed leads to: the rules that hold it back, and the problems. */
async function outcomeOf(deed: Deeds[string]) {
  const { before, after } = filesAround(deed);
  const [was, is] = [await read(before), await read(after)];
  assert.ok(was.set, was.codes.join());
  const holds = is.set ? holdsOf(was.set, is.set) : [];
  return { codes: [...new Set([...holds.map(({ code }) => code), ...is.codes])].join(' '), holds };
}

test('a single draft in Markdown is published in silence, several are not', async () => {
  const item = (line: string) => `---\n${line}\ncreate_time: 2024-01-05\n---\n# Title\n\nText\n`;
  const news = (...lines: string[]) =>
    Object.fromEntries(lines.map((line, index) => [`news/${index + 1}.md`, item(line)]));
  const other = 'keywords: a';
  const cases: [before: Files, after: Files, codes: string[]][] = [
    [news('draft: true', other), news(other, other), []],
    [news('hidden: true', other), news(other, other), []],
    [news('draft: true', 'draft: true', other), news(other, other, other), ['LOST_GUARD']],
    [news('published: 2099-01-01', 'published: no'), news('published: yes', 'published: yes'), []],
  ];
  for (const [before, after, codes] of cases) {
    const [was, is] = [await read(before), await read(after)];
    assert.ok(was.set && is.set, [...was.codes, ...is.codes].join());
    const found = holdsOf(was.set, is.set).map(({ code }) => code);
    assert.deepEqual(found, codes, JSON.stringify(before));
  }
});

test('no accident goes live in silence', async t => {
  for (const [codes, deeds] of Object.entries(accidents)) {
    for (const [what, deed] of Object.entries(deeds)) {
      const outcome = await outcomeOf(deed);
      assert.equal(outcome.codes, codes, `${what}: ${JSON.stringify(outcome.holds)}`);
      for (const { message } of outcome.holds) t.diagnostic(message);
    }
  }
  for (const rule of Object.keys(holdRules).filter(code => code !== 'CUT_OFF' && code !== 'NOT_COMPARED'))
    assert.ok(rule in accidents, `no accident shows ${rule} alone`);
});

test('what editors do every day is not held back', async () => {
  for (const [what, deed] of Object.entries(harmlessEdits))
    assert.deepEqual((await outcomeOf(deed)).holds, [], what);
});
