import assert from 'node:assert/strict';
import { basename } from 'node:path/posix';
import { test } from 'node:test';
import { readSet } from '../../src/reader/read-set.ts';
import { formatProblem } from '../../src/set/collect-problems.ts';
import { memoryDirectory } from '../../src/set/directory.ts';
import { type Files, shopWith, sourceIn } from '../support/catalogs.ts';

const item = (title: string, lines = '') => `---\nlayout: post\ntitle: ${title}\n${lines}---\nText\n`;

async function read(files: Files, listAll = true) {
  const contents = Object.entries(shopWith({ 'news.json': null, ...files })).flatMap(([path, content]) =>
    content === null
      ? []
      : [[path, Buffer.from(Array.isArray(content) ? JSON.stringify(content) : content)] as const],
  );
  const directory = memoryDirectory('memory', new Map(contents), async () => undefined);
  const { report, rows } = await readSet(directory, sourceIn('memory'), { listAll });
  const told = report.problems.filter(({ code, severity }) => code === 'NOT_READ' || severity === 'error');
  const times = (row: { create_time: number; publish_time?: number | undefined }) =>
    [row.create_time, row.publish_time].map(time => new Date(Number(time) * 1000).toISOString().slice(0, 16));
  const served = rows?.news?.map(row => {
    const [created, published] = times(row);
    return `${row.id} ${created}${published === created ? '' : ' at once'} ${row.title}`;
  });
  return { told, served: served?.sort() };
}

/** What each remedy says to do with a file; what is to be written as Markdown has the text already. */
const DEEDS: [RegExp, (files: Files, file: string, to: string) => void][] = [
  [/is (TOML|JSON)/, (files, file) => (files[file] = item('Other', 'date: 2026-03-31\n'))],
  [
    /(?:rename|move|write|save) it (?:to|as Markdown in|as) (\S+),/,
    (files, file, to) => move(files, file, to),
  ],
  [/rename the file to (\S+);/, (files, file, to) => move(files, file, file.replace(basename(file), to))],
  [/write (id: \d+) into/, (files, file, line) => edit(files, file, line)],
  [
    /is missing: write a date such as (\S+) or/,
    (files, file, date) => edit(files, file, `create_time: ${date}`),
  ],
];
function move(files: Files, file: string, to: string) {
  assert.equal(files[to], undefined, to);
  files[to] = files[file] ?? '';
  delete files[file];
}
function edit(files: Files, file: string, line: string) {
  const text = String(files[file]);
  files[file] = text.startsWith('---') ? text.replace('---', `---\n${line}`) : `---\n${line}\n---\n${text}`;
}

/** Does what the first problem says until there is none. Returns how often. */
async function obey(files: Files): Promise<number> {
  for (let deeds = 0; ; deeds += 1) {
    const [problem] = (await read(files)).told;
    if (!problem) return deeds;
    const deed = DEEDS.find(([pattern]) => pattern.test(problem.message));
    assert.ok(deed && deeds < 20, `${problem.file}: ${problem.message}`);
    deed[1](files, problem.file, deed[0].exec(problem.message)?.[1] ?? '');
  }
}

/** Folders as programs have them: the files, how many deeds they need, and the items then: id, time and title. */
const folders: Record<string, [files: Files, deeds: number, served: string]> = {
  'Hexo: a date or a year in the name alone, images in a folder of the same name': [
    {
      'news/2026-03-30-two-0.md': item('Two'),
      'news/2026-03-31_three.md': item('Three', 'tags: [a, b]\n'),
      'news/2026-03-31_three/console.png': 'x',
      'news/20260401-four.md': item('Four', 'id: 4\n'),
      'news/2026-in-review.md': item('2026', 'date: 2027-01-01\n'),
    },
    0,
    '20260330 2026-03-30T00:00 Two|20260331 2026-03-31T00:00 Three|4 2026-04-01T00:00 Four|2026 2027-01-01T00:00 2026',
  ],
  'Jekyll: .markdown, a time in the front matter, folders of years, items of one day': [
    {
      'news/2026-03-31-a.markdown': item('A', 'date: 2026-03-31 10:26:12 -0700\n'),
      'news/2026-03-31-b.markdown': item('B', 'date: 2026-03-31 18:00 +02:00\n'),
      'news/2026-03-31-c.md': item('C'),
      'news/2025/2025-03-31-d.markdown': item('D'),
      'news/2025-03-NN-e.md': item('E', 'create_time: 2025-04-01\n'),
    },
    3,
    '20250331 2025-03-31T00:00 D|2025 2025-04-01T00:00 at once E|20260331 2026-03-31T17:26 A|2026033101 2026-03-31T16:00 B|2026033102 2026-03-31T00:00 C',
  ],
  'Eleventy and Docusaurus: a date in the front matter, no id, a folder for an item, MDX': [
    {
      'news/first.md': item('First', 'date: 2026-03-01\n'),
      'news/second.md': item('Second', 'date: 2026-03-02\n'),
      'news/third/third.md': item('Third', 'date: 2026-03-03\n'),
      'news/2026-04-01-b/index.mdx': item('B'),
    },
    5,
    '1 2026-03-01T00:00 First|2 2026-03-02T00:00 Second|20260401 2026-04-01T00:00 B|3 2026-03-03T00:00 Third',
  ],
  'Hugo: bundles with versions as names, a line above the front matter, other front matter': [
    {
      'news/0.75.0-notes/index.md': `\n${item('Notes', 'date: 2026-03-01\n')}`,
      'news/0.76.0-notes/index.md': item('More', 'date: 2026-03-02\n'),
      'news/_index.md': item('All'),
      'news/7-toml.md': '+++\ntitle = "Other"\n+++\nText\n',
      'news/8-json.md': '{\n  "title": "Other"\n}\nText\n',
    },
    6,
    '10 2026-03-02T00:00 More|7 2026-03-31T00:00 Other|8 2026-03-31T00:00 Other|9 2026-03-01T00:00 Notes',
  ],
  'Pelican and others: other languages of markup, folders with other names, two levels deep': [
    {
      'news/2026-03-31-a.rst': item('A'),
      'posts/2026/2026-04-01-b.adoc': item('B'),
      'posts/2026/2026-04-02-c.md': item('C'),
      'blog/5-d.md': item('D', 'date: 2026-04-03\n'),
    },
    3,
    '20260331 2026-03-31T00:00 A|20260402 2026-04-02T00:00 C|5 2026-04-03T00:00 D',
  ],
};

test('news folders of other programs are served, or what is to be done with a file is said and works', async () => {
  for (const [what, [files, deeds, expected]] of Object.entries(folders)) {
    const left = { ...files };
    assert.equal(await obey(left), deeds, what);
    assert.deepEqual((await read(left)).served, expected.split('|').sort(), what);
  }
});

test('the id of a date stays whatever items come, and what is no date is none', async () => {
  const day = 'news/2026-03-31-b.md';
  const { served } = await read({ [day]: item('B'), 'news/2026-03-31-a.md': item('A', 'id: 2026033101\n') });
  assert.deepEqual(served, ['20260331 2026-03-31T00:00 B', '2026033101 2026-03-31T00:00 A']);
  const both = await read({
    [day]: item('B'),
    'news/2026-03-31-a.md': item('A'),
    'news/2026033101.md': item('C', 'date: 2026-01-01\n'),
  });
  assert.match(both.told[0]?.message ?? '', /: write id: 2026033102 into the newer one$/);
  for (const name of ['2026-02-30-a', '1969-12-31-a', '20261345-a', '2026033112-a', '2026-033-1']) {
    const { told } = await read({ [`news/${name}.md`]: item('A') });
    assert.match(told.map(({ message }) => message).join(), /create_time is missing/, name);
  }
});

test('files with one remedy are one problem, with all their names', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `prices (${index}).csv`);
  const others = [
    'prices.yml',
    'prices.ndjson',
    'Prices.csv.gz',
    'news/1-a.rst',
    'news/3-c.json',
    ...['news/4-d.mdx', 'news/5-e.mdx', 'news/6-f/index.md', 'news/7-g/index.md'],
    ...['news/8-h/ij.md', 'news/8-h/kl.md'],
  ];
  const files = Object.fromEntries([...names, ...others].map(name => [name, 'x']));
  const { told } = await read({ ...files, 'news/9-z.md': item('Z', 'date: 2026-01-01\n') }, false);
  assert.deepEqual(
    told.map(
      ({ file, message, files }) => `${files?.join() ?? file}: ${message.replace(/, or begin.*/, '')}`,
    ),
    [
      'prices.yml,prices.ndjson: these files are not read: save one of them as a JSON array named prices.json',
      'Prices.csv.gz: this file is not read: unpack it, and save it as prices.csv',
      `${names.join()}: these files are not read: rename one of them to prices.csv`,
      'news/1-a.rst,news/3-c.json: these files are not read: write them as Markdown in news/NAME.md',
      'news/4-d.mdx,news/5-e.mdx: these files are not read: rename them to news/NAME.md',
      'news/6-f/index.md,news/7-g/index.md: these files are not read: move them to news/FOLDER.md',
      'news/8-h/ij.md,news/8-h/kl.md: these files are not read: move them to news/NAME.md',
    ],
  );
  const line = formatProblem(told[2] ?? assert.fail());
  assert.ok(line.endsWith(` (8 files: ${names.slice(0, 5).join(', ')}, …)`), line);
});
