import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { catalogNames, catalogs, columnsOf, extraColumn, isExtra } from '../../src/contract/columns.ts';
import { problems } from '../../src/contract/problems.ts';
import { errors } from '../../src/errors.ts';
import { promptOf } from '../../src/formats/write/validations.ts';
import { openCountsFile } from '../../src/reads/file/file-counter.ts';
import { COLUMN_LIFE } from '../../src/reads/redis/scripts.ts';
import { holdRules } from '../../src/set/hold-back/hold-back.ts';
import { STILL_MS } from '../../src/set/stability.ts';
import { environmentName } from '../../src/settings/read.ts';
import { constants, settingNames, settings } from '../../src/settings/settings.ts';
import { shop, shopWith, writeFiles } from '../support/catalogs.ts';
import {
  codeBlocks,
  linksIn,
  listedMetrics,
  type Page,
  pages,
  readPage,
  tableRows,
} from '../support/manual.ts';
import { root } from '../support/package.ts';
import { isLinux } from '../support/programs.ts';
import { readFiles } from '../support/read-source.ts';
import { startService } from '../support/service.ts';
import { converse } from '../support/wire.ts';
import { SECRET, startReceiver } from '../webhook/receiver.ts';

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsIn(text: string): string[] {
  const headings = text.replace(/^```.*?^```/gms, '').match(/(?<=^#+ ).+$/gm) ?? [];
  const anchorOf = (heading: string) => heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
  return headings.map(heading => anchorOf(heading).replaceAll(' ', '-'));
}

const isPage = (path: string): path is Page => pages.some(page => page === path);

for (const page of pages) {
  test(`every link in ${page} leads to a file and a heading`, () => {
    for (const link of linksIn(readPage(page))) {
      if (link.startsWith('https://')) continue;
      const [path = '', anchor] = link.split('#');
      const target = path ? normalize(join(dirname(page), path)) : page;
      assert.ok(existsSync(join(root, target)), link);
      if (anchor === undefined) continue;
      assert.ok(isPage(target) && anchorsIn(readPage(target)).includes(anchor), `no heading for ${link}`);
    }
  });
}

test('every page can be reached from the README', () => {
  const reached = new Set<string>(['README.md']);
  for (const page of reached) {
    if (!isPage(page)) continue;
    for (const link of linksIn(readPage(page)))
      reached.add(normalize(join(dirname(page), link.split('#')[0] ?? '')));
  }
  for (const page of pages) assert.ok(reached.has(page), page);
});

test('the README has at most 220 lines', () => {
  assert.ok(readPage('README.md').trimEnd().split('\n').length <= 220);
});

test('the walks in CONTRIBUTING.md name functions that exist, in at most 14 and 10 stops', () => {
  const [, intoSnapshot = '', intoBytes = ''] = readPage('.github/CONTRIBUTING.md').split(/^### From /m);
  for (const [walk, most] of [
    [intoSnapshot, 14],
    [intoBytes, 10],
  ] as const) {
    const stops = [...walk.matchAll(/^\d+\. `(src\/.+?)` `(.+?)`: /gm)];
    assert.ok(stops.length > 5 && stops.length <= most, `${stops.length} stops`);
    for (const [, file = '', name = ''] of stops)
      assert.match(readFileSync(join(root, file), 'utf8'), new RegExp(`\\b${name}\\b`), file);
  }
});

/** The languages of the blocks that tests run, by page. Other blocks are marked `not-run`. */
const run: Partial<Record<Page, string[]>> = {
  'README.md': ['console', 'js'],
  'data/README.md': ['console', 'json', 'markdown'],
  'src/EMBEDDING.md': ['js'],
  'src/http/README.md': ['console', 'ts', 'js', 'json', 'njk', 'html'],
  'src/reads/README.md': ['json'],
  'scripts/deploy/README.md': ['console', 'sh', ''],
  'scripts/deploy/cdn/README.md': ['console', 'ts', 'nginx'],
};

for (const page of pages) {
  test(`every code block in ${page} runs in a test, or is marked as one that does not`, () => {
    const fences = Array.from(readPage(page).matchAll(/^```(.*)$/gm), ([, info = '']) => info);
    assert.equal(fences.length % 2, 0);
    const blocks = fences.filter((_, index) => index % 2 === 0);
    const others = blocks.filter(info => !info.endsWith(' not-run') && !run[page]?.includes(info));
    assert.deepEqual(others, []);
  });
}

test('the own fields of the guide for editors are read', async () => {
  const [text = ''] = codeBlocks(readPage('data/README.md'), 'json');
  const { rows } = await readFiles({ 'products.json': text, 'news.csv': 'id,title,content,create_time\n' });
  assert.equal(rows?.products?.[0]?.extra, '{"badge":"New","regions":["fra1","sin1"]}');
});

test('the Markdown file of the guide for editors is a news item without problems', async () => {
  const [text = ''] = codeBlocks(readPage('data/README.md'), 'markdown');
  const files = {
    'news_types.json': [{ id: 1, name: 'Announcements' }],
    'news.json': null,
    'news/12-new-prices.md': text,
  };
  const { report, rows } = await readFiles(shopWith(files));
  const [item] = rows?.news ?? assert.fail(JSON.stringify(report.problems));
  const seen = [item?.id, item?.title, item?.type_id, item?.img];
  assert.deepEqual(seen, [12, 'New prices from April', 1, 'price-curve.webp']);
});

test('the file of the guide to read counts has its counts', async t => {
  const [text = ''] = codeBlocks(readPage('src/reads/README.md'), 'json');
  const log = { info() {}, warn() {}, error() {} };
  const file = openCountsFile(await writeFiles(t, { 'read-counts.json': text }), log);
  assert.deepEqual(await file.load(), new Map([[12, 103]]));
});

test('the README has ten settings as the code defines them, and the guide for operators names the others', () => {
  const rows = settingNames.map(name => {
    const { default: fallback, description } = settings[name];
    return `| \`${environmentName(name)}\` | ${fallback ? `\`${fallback}\`` : 'none'} | ${description} |`;
  });
  const first = tableRows('README.md', '| setting | default | meaning |');
  assert.equal(first.length, 10);
  for (const row of first) assert.ok(rows.includes(row), row);
  const table = tableRows('scripts/deploy/README.md', '| for | settings |').join();
  const others = table.match(/(?<=`)[A-Z_]+(?=`)/g) ?? [];
  const names = [...first.map(row => /`(\w+)`/.exec(row)?.[1] ?? ''), ...others];
  assert.deepEqual(names.sort(), settingNames.map(environmentName).sort());
});

test('the manual lists every error by its status', () => {
  const codes = new Map<number, string[]>();
  for (const [code, { status }] of Object.entries(errors))
    codes.set(status, [...(codes.get(status) ?? []), `\`${code}\``]);
  const rows = Array.from(codes, ([status, list]) => `| ${status} | ${list.join(', ')} |`);
  assert.deepEqual(tableRows('src/http/README.md', '| status | `data.error` |'), rows);
});

test('the guide for editors lists every problem code, errors first', () => {
  const listed = ['error', 'warning'].flatMap(severity => {
    const rows = tableRows('data/README.md', `| ${severity}s | codes |`);
    return (rows.join().match(/(?<=`)[A-Z_]+(?=`)/g) ?? []).map(code => [code, severity]);
  });
  assert.deepEqual(listed, Object.entries(problems));
});

test('the guide for editors lists every rule by which a change is held back', () => {
  const rows = Object.entries(holdRules).map(([code, { meaning }]) => `| \`${code}\` | ${meaning} |`);
  assert.deepEqual(tableRows('data/README.md', '| rule | applies if |'), rows);
});

test('the manual says how long things take as the code does', () => {
  const { loadSeconds, reloadPollMs, reloadQuietMs, historyDays } = constants;
  for (const [page, text, value, expected] of [
    ['data/README.md', 'Vitrine sees a change within a second', reloadPollMs, 1000],
    ['data/README.md', 'until all files have been still for 0.3 s, or for six seconds', reloadQuietMs, 300],
    ['data/README.md', 'the files must have been still for six seconds', STILL_MS, 6000],
    ['scripts/deploy/README.md', '60 s of CPU time', loadSeconds, 60],
    ['scripts/deploy/README.md', '90 days after it was replaced', historyDays, 90],
    ['src/reads/README.md', 'columns that nobody has written to for a week', COLUMN_LIFE, 604_800],
  ] as const) {
    assert.ok(readPage(page).replaceAll('\n', ' ').includes(text), text);
    assert.equal(value, expected, text);
  }
});

test('README and the guide for editors list the columns of every catalog', () => {
  const optional = (required: boolean) => (required ? '' : '?');
  const rows = catalogNames.map(name => {
    const columns = columnsOf(name).map(column => `\`${column.name}\`${optional(column.required)}`);
    return `| \`${name}\`${optional(catalogs[name].neededBy.length > 0)} | ${columns.join(', ')} |`;
  });
  const [own, ...others] = tableRows('README.md', '| catalog | columns |');
  assert.deepEqual(others, rows);
  assert.match(own ?? '', /^\| any \| `extra\.NAME`\?/);
});

test('the guide for editors and the cells of a template say the same of every column', () => {
  let last = '';
  const guide = tableRows('data/README.md', '| catalog | column | what to write |').map(row => {
    const [, catalog = '', column = '', text = ''] = row.replaceAll('`', '').split(/ ?\| /);
    last = catalog.trim() || last;
    return [last, column, text.replace(/ \|$/, '')].join(': ');
  });
  const columns = catalogNames.flatMap(name =>
    [...columnsOf(name), extraColumn('extra.NAME')].map(column => {
      const isOfAll = column.name === 'id' || isExtra(column.name);
      return [isOfAll ? 'all' : name, column.name, promptOf(name, column)].join(': ');
    }),
  );
  assert.deepEqual(
    guide,
    [...new Set(columns)].sort((a, b) => Number(b.startsWith('all')) - Number(a.startsWith('all'))),
  );
  const tooLong = columns.filter(text => text.length > 255);
  assert.deepEqual(tooLong, []);
});

const skip = !isLinux && 'two metrics exist on Linux only';
test('the guide for operators lists every metric with its labels', { skip }, async t => {
  const { url } = await startReceiver(t);
  const { dispatch, listen } = await startService(t, shop, { webhookUrl: url, webhookSecret: SECRET });
  await converse(await listen(), Buffer.from('RUBBISH\r\n\r\n'));
  await dispatch('/api/news');
  const { body } = await dispatch('/metrics');
  assert.match(body, /^vitrine_degraded\{part="webhook"\} 0$/m);
  const blocks = body.trim().split('\n\n');
  const served = blocks.map(block => {
    const [, name = '', type] = /^# HELP (\S+) .*\n# TYPE \S+ (\w+)/.exec(block) ?? assert.fail(block);
    const labels = new Set(Array.from(block.matchAll(/[{,](\w+)="/g), ([, label = '']) => label));
    if (type === 'histogram') labels.delete('le');
    return [name, [...labels]] as const;
  });
  const listed = listedMetrics();
  // Those of the process are prom-client's, of which the guide names some.
  const own = served.filter(([name]) => listed.has(name) || !/^(nodejs|process)_/.test(name));
  assert.deepEqual(listed, new Map(own.sort()));
});
