import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogNames, catalogs, columnsOf } from '../../src/contract/columns.ts';
import { problems } from '../../src/contract/problems.ts';
import { errors } from '../../src/errors.ts';
import { promptOf } from '../../src/formats/write/validations.ts';
import { holdRules } from '../../src/set/hold-back/hold-back.ts';
import { environmentName } from '../../src/settings/read.ts';
import { settingNames, settings } from '../../src/settings/settings.ts';
import { shop } from '../support/catalogs.ts';
import { isLinux } from '../support/children.ts';
import { listedMetrics, tableRows } from '../support/manual.ts';
import { startService } from '../support/service.ts';
import { SECRET, startReceiver } from '../support/webhook/receiver.ts';
import { converse } from '../support/wire.ts';

test('the README has ten settings as the code defines them, and the guide for operators names the others', () => {
  const rows = settingNames.map(name => {
    const { default: fallback, description } = settings[name];
    return `| \`${environmentName(name)}\` | ${fallback ? `\`${fallback}\`` : 'none'} | ${description} |`;
  });
  const first = tableRows('README.md', '| setting | default | meaning |');
  assert.equal(first.length, 10);
  for (const row of first) assert.ok(rows.includes(row), row);
  const others = tableRows('scripts/deploy/README.md', '| for | settings |').flatMap(
    row => row.match(/(?<=`)[A-Z_]+(?=`)/g) ?? [],
  );
  const names = [...first.map(row => /`(\w+)`/.exec(row)?.[1] ?? ''), ...others];
  assert.deepEqual(names.sort(), settingNames.map(environmentName).sort());
});

test('the manual lists every error by its status', () => {
  const codes = new Map<number, string[]>();
  for (const [code, { status }] of Object.entries(errors))
    codes.set(status, [...(codes.get(status) ?? []), `\`${code}\``]);
  assert.deepEqual(
    tableRows('src/http/README.md', '| status | `data.error` |'),
    Array.from(codes, ([status, list]) => `| ${status} | ${list.join(', ')} |`),
  );
});

test('the guide for editors lists every problem code, errors first', () => {
  const codesOf = (header: string) =>
    tableRows('data/README.md', header).flatMap(row => row.match(/(?<=`)[A-Z_]+(?=`)/g) ?? []);
  const listed = [
    ...codesOf('| errors | codes |').map(code => [code, 'error']),
    ...codesOf('| warnings | codes |').map(code => [code, 'warning']),
  ];
  assert.deepEqual(listed, Object.entries(problems));
});

test('the guide for editors lists every rule by which a change is held back', () => {
  assert.deepEqual(
    tableRows('data/README.md', '| rule | applies if |'),
    Object.entries(holdRules).map(([code, { meaning }]) => `| \`${code}\` | ${meaning} |`),
  );
});

test('README and the guide for editors list the columns of every catalog', () => {
  const optional = (required: boolean) => (required ? '' : '?');
  const rows = catalogNames.map(name => {
    const columns = columnsOf(name).map(column => `\`${column.name}\`${optional(column.required)}`);
    return `| \`${name}\`${optional(catalogs[name].neededBy.length > 0)} | ${columns.join(', ')} |`;
  });
  assert.deepEqual(tableRows('README.md', '| catalog | columns |'), rows);
});

test('the guide for editors and the cells of a template say the same of every column', () => {
  let last = '';
  const guide = tableRows('data/README.md', '| catalog | column | what to write |').map(row => {
    const [, catalog = '', column = '', text = ''] = row.replaceAll('`', '').split(/ ?\| /);
    last = catalog.trim() || last;
    return [last, column, text.replace(/ \|$/, '')].join(': ');
  });
  const columns = catalogNames.flatMap(name =>
    columnsOf(name).map(column =>
      [column.name === 'id' ? 'all' : name, column.name, promptOf(name, column)].join(': '),
    ),
  );
  assert.deepEqual(
    guide,
    [...new Set(columns)].sort((a, b) => Number(b.startsWith('all')) - Number(a.startsWith('all'))),
  );
  const tooLong = columns.filter(text => text.length > 255);
  assert.deepEqual(tooLong, []);
});

test('the guide for operators lists every metric with its labels', {
  skip: !isLinux && 'two metrics exist on Linux only',
}, async t => {
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
