import assert from 'node:assert/strict';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { catalogNames } from '../../src/contract/columns.ts';
import type { ChangedSet } from '../../src/reader/changed-set.ts';
import { formatProblem } from '../../src/set/collect-problems.ts';
import { compareSets } from '../../src/set/compare-sets.ts';
import { fingerprint } from '../../src/set/directory.ts';
import { holdRules } from '../../src/set/hold-back/hold-back.ts';
import { STILL_MS } from '../../src/set/stability.ts';
import { type Files, markdown } from '../support/catalogs.ts';
import { fixtureSet } from '../support/fixture-sets.ts';
import { keepServed, readFiles, readSource, serveSet } from '../support/read-source.ts';
import { skipInQuickRun } from '../support/skipping.ts';
import { accidents, filesAround, harmlessEdits } from './hold-back/accidents.ts';
import { columnAccidents } from './hold-back/column-accidents.ts';
import { datedAccidents, datedEdits } from './hold-back/dated-prices.ts';
import { filesOf, shopToEdit } from './hold-back/edits.ts';
import { ordinaryEdits } from './hold-back/ordinary-edits.ts';
import { filesOfSite } from './hold-back/site.ts';

/** Why a set that was read waits, and its problems, a line each. */
function told(change: ChangedSet & { holds: { code: string; message: string }[] }): string[] {
  const holds = change.holds.map(({ code, message }) => `${code} ${message}`);
  if (change.outcome !== 'read') return assert.fail(change.outcome);
  return [...holds, ...change.report.problems.map(formatProblem)];
}

const file = (name: string) => String(fixtureSet(1)[name]);
/** The headings of a CSV file, and this many rows. */
const head = (text: string, rows: number) =>
  `${text
    .split('\n')
    .slice(0, rows + 1)
    .join('\n')}\n`;

/** Where a text is cut: at every byte, or in `npm test` at some, and around each line break. */
const endsOf = (text: string) =>
  Array.from(text, (_, end) => end).filter(
    end => !skipInQuickRun || end % 9 === 0 || text.slice(Math.max(0, end - 1), end + 1).includes('\n'),
  );

test('a file that is cut at any byte never leads to a wrong row', async t => {
  const { dir, rows, change } = await serveSet(t);
  for (const catalog of ['prices', 'news'] as const) {
    const name = `${catalog}.csv`;
    const content = file(name);
    let served = 0;
    for (const end of endsOf(content)) {
      await writeFile(join(dir, name), content.slice(0, end));
      const changed = await change();
      if (changed.outcome !== 'read' || !changed.rows || changed.holds.length > 0) continue;
      served += 1;
      for (const row of changed.rows[catalog] ?? []) {
        const whole = rows[catalog]?.find(({ id }) => id === row.id);
        assert.deepEqual(row, whole, `${name} cut at ${end}`);
      }
    }
    // The file without its last line break, and without its last row.
    assert.equal(served, 2, name);
    await writeFile(join(dir, name), content);
  }
});

test('a loss is held back with what to do, unless that is allowed', async t => {
  const news = Array.from({ length: 200 }, (_, index) => ({ ...shopToEdit().news[4], id: index + 1 }));
  const files = filesOf({ ...shopToEdit(), news });
  const [prices, items] = [String(files['prices.csv']), String(files['news.csv'])];
  const raised = prices.replaceAll(/\.\d\d$/gm, '.99');
  const AGAIN = 'save the whole file again';
  const inRow44 = `CUT_OFF prices.csv seems to be cut off in row 44: ${AGAIN}, or, if it is complete, end it with a line break`;
  const beginning = (file: string) =>
    `CUT_OFF ${file} is only the beginning of the file that is served: ${AGAIN}`;
  const allGone = `LOST_ROWS 200 of 200 news items would disappear: ${AGAIN}`;
  const cases: [what: string, file: string, content: string, told: string[]][] = [
    ['the last row is deleted', 'prices.csv', head(prices, 47), []],
    ['two of 48 rows are gone', 'prices.csv', head(prices, 46), [beginning('prices.csv')]],
    ['four of 200 rows are gone', 'news.csv', head(items, 196), []],
    ['five of 200 rows are gone', 'news.csv', head(items, 195), [beginning('news.csv')]],
    [
      'the last row and a line break are gone',
      'prices.csv',
      head(prices, 47).trimEnd(),
      [beginning('prices.csv')],
    ],
    ['the last number is cut', 'prices.csv', prices.slice(0, -2), [beginning('prices.csv')]],
    ['all rows are gone', 'news.csv', head(items, 0), [beginning('news.csv'), allGone]],
    ['a number of a new file is cut', 'prices.csv', head(raised, 43).slice(0, -2), [inRow44]],
    ['the last row of a new file is another', 'prices.csv', `${head(raised, 47)}124,3,12,4,7`, []],
  ];
  const { dir, change } = await serveSet(t, files);
  const holds = async (options = {}) =>
    (await change(options)).holds.map(({ code, message }) => `${code} ${message}`);
  for (const [what, name, content, told] of cases) {
    await writeFile(join(dir, name), content);
    assert.deepEqual(await holds(), told, what);
    assert.deepEqual(await holds({ holdBack: false }), [], what);
    await writeFile(join(dir, name), String(files[name]));
  }
  const texts = await serveSet(t, markdown);
  await rename(join(texts.dir, 'news'), join(texts.dir, '_news'));
  assert.deepEqual(told(await texts.change()), ['LOST_ROWS all files news/*.md are gone: put them back']);
});

test('a set that waits says of which earlier version its files are', async t => {
  const { dir, source, change } = await serveSet(t);
  const note = async () => /\(.*\)$/.exec((await change()).holds[0]?.message ?? '')?.[0];
  await writeFile(join(dir, 'prices.csv'), file('prices.csv').replaceAll(',11\n', ',1100\n'));
  assert.equal(await note(), undefined);
  const { report } = await readSource(source);
  await keepServed(source, report);
  assert.equal(await note(), `(this is version ${report.version} of 1970-01-01)`);
  await writeFile(join(dir, 'prices.csv'), `${file('prices.csv').replaceAll(',11\n', ',1100\n')}\n`);
  assert.equal(await note(), undefined);
});

test('what cannot be compared with the set before is held back, unless that is allowed', async t => {
  const { dir, served, change } = await serveSet(t, fixtureSet(1), false);
  await writeFile(join(dir, 'news.csv'), file('news.csv').replaceAll('set 1', 'set one'));
  assert.deepEqual(told(await change()), [
    `NOT_COMPARED version ${served.version} that was served before cannot be read any more: check the changes yourself`,
  ]);
  assert.deepEqual(told(await change({ holdBack: false })), []);
});

for (const isRestart of [false, true]) {
  const when = isRestart ? 'after a restart' : 'while it is served';
  test(`a CSV file that lacks rows is not believed before it has lain still, ${when}`, async t => {
    const { dir, before, change } = await serveSet(t);
    const former = isRestart && before ? { before: { ...before, digests: undefined } } : {};
    const outcome = async (content: string, stillMs: number) => {
      await writeFile(join(dir, 'news.csv'), content.replaceAll('set 1', 'set one'));
      return (await change({ ...former, stillMs })).outcome;
    };
    assert.equal(await outcome(head(file('news.csv'), 4), STILL_MS - 1), 'incomplete');
    assert.equal(await outcome(head(file('news.csv'), 4), STILL_MS), 'read');
    assert.equal(await outcome(`${file('news.csv').trimEnd()}\n7,99,2024-01-01,New,New\n`, 0), 'read');
  });
}

test('a file that changes while it is read is read again; a file with the served content is not', async t => {
  const { dir, change } = await serveSet(t);
  const { key } = await fingerprint(dir);
  await writeFile(join(dir, 'news.csv'), file('news.csv'));
  const changed = await change({ fingerprint: key });
  assert.deepEqual(changed, { outcome: 'incomplete', stillMs: 0, holds: [] });
  assert.equal((await change()).outcome, 'unchanged');
});

/** What a change leads to: why it is held back, and the codes of that and of the problems. */
async function outcomeOf(before: Files, after: Files) {
  const [was, is] = [await readFiles(before), await readFiles(after)];
  const problems = is.report.problems.map(({ code }) => code);
  assert.ok(was.content && is.content, problems.join());
  const { content } = was;
  const former = new Map(catalogNames.map(name => [name, content[name]]));
  const gone = (catalog: string) => `${catalog} is gone`;
  const guarded = { cutOff: [], hasOtherZone: false, newlyRead: new Set<number>(), gone };
  const { holds } = compareSets(former, is.content, { from: 'a', to: 'b' }, guarded);
  for (const { message } of holds) assert.match(message, /: [a-z]|is gone$/);
  return { holds, codes: [...new Set([...holds.map(({ code }) => code), ...problems])] };
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
    const { holds } = await outcomeOf(before, after);
    assert.deepEqual(
      holds.map(({ code }) => code),
      codes,
      JSON.stringify(before),
    );
  }
});

test('no accident goes live in silence, and each says what to do', async () => {
  for (const [codes, deeds] of [...Object.entries(accidents), ...Object.entries(datedAccidents)])
    for (const [what, deed] of Object.entries(deeds)) {
      const { before, after } = filesAround(deed);
      assert.equal((await outcomeOf(before, after)).codes.join(' '), codes, what);
    }
  for (const [code, deeds] of Object.entries(columnAccidents))
    for (const [what, deed] of Object.entries(deeds)) {
      const { codes } = await outcomeOf(filesOfSite(), filesOfSite(deed));
      assert.ok(
        codes.some(found => found === code),
        `${what}: ${codes.join()}`,
      );
    }
  const shown = Object.keys({ ...accidents, ...columnAccidents, ...datedAccidents });
  const others = ['NOT_COMPARED', 'UNREAD_FIELDS', 'CUT_OFF', 'NEWLY_READ'];
  for (const rule of Object.keys(holdRules).filter(code => !others.includes(code)))
    assert.ok(shown.includes(rule), `no accident shows ${rule} alone`);
});

test('what editors do every day is not held back', async () => {
  for (const [what, deed] of Object.entries({ ...harmlessEdits, ...datedEdits })) {
    const { before, after } = filesAround(deed);
    assert.deepEqual((await outcomeOf(before, after)).holds, [], what);
  }
  for (const [what, deed] of Object.entries(ordinaryEdits))
    assert.deepEqual((await outcomeOf(filesOfSite(), filesOfSite(deed))).holds, [], what);
});
