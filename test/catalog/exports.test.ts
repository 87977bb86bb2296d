import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportGroups } from '../support/exports/cases.ts';
import { exportOf } from '../support/exports/export-of.ts';
import { judge } from '../support/exports/judge.ts';

for (const [group, cases] of Object.entries(exportGroups)) {
  test(`every export is read as it shows, or refused at the right cell: ${group}`, async t => {
    const faults: string[] = [];
    for (const it of cases) faults.push(...(await judge(t, exportOf(it))));
    assert.equal(faults.join('\n'), '');
  });
}

test('the table has at least 300 exports, each with its own name', () => {
  const names = Object.values(exportGroups).flatMap(cases => cases.map(it => exportOf(it).name));
  assert.ok(names.length >= 300, `${names.length}`);
  assert.equal(new Set(names).size, names.length);
});
