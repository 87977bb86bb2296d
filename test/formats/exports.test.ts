import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportGroups } from '../support/exports/cases.ts';
import { exportOf } from '../support/exports/export-of.ts';
import { judge } from '../support/exports/judge.ts';

const groups = Object.entries(exportGroups).map(([group, cases]) => [group, cases.map(exportOf)] as const);

for (const [group, exports] of groups) {
  test(`every export is read as it shows, or refused at the right cell: ${group}`, async t => {
    const faults: string[] = [];
    for (const exported of exports) faults.push(...(await judge(t, exported)));
    assert.equal(faults.join('\n'), '');
  });
}

test('the table has at least 300 exports, each with its own name', () => {
  const names = groups.flatMap(([, exports]) => exports.map(({ name }) => name));
  assert.ok(names.length >= 300, `${names.length}`);
  assert.equal(new Set(names).size, names.length);
});
