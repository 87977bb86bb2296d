import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSame, errorsOf } from '../support/catalog/forms.ts';
import { rounds } from '../support/skipping.ts';
import { archiveFaults, PARTS } from '../support/workbooks/archive-faults.ts';
import { zip } from '../support/workbooks/zip.ts';

test('damaged archives are refused in one sentence', async t => {
  for (const [what, content, error] of archiveFaults) {
    const errors = await errorsOf(t, { 'prices.xlsx': content });
    assert.deepEqual(
      errors.map(text => text.replace(/(?<![/\w.])\d+\b|(?<=utf-)8/g, 'N')),
      [error],
      what,
    );
  }
});

test('a workbook that is cut off anywhere is refused as damaged', async t => {
  const whole = zip(PARTS);
  const cuts = rounds(200, 25);
  for (let cut = 0; cut < cuts; cut += 1) {
    const length = Math.floor((whole.length * cut) / cuts);
    const [error, ...others] = await errorsOf(t, { 'prices.xlsx': whole.subarray(0, length) });
    assert.match(error ?? '', /^prices\.xlsx: error BAD_WORKBOOK /, `${length} bytes`);
    assert.deepEqual(others, []);
  }
});

test('a workbook with a wrong byte anywhere is read right or refused', async t => {
  const whole = zip(PARTS);
  const outcomes = { same: 0, refused: 0 };
  await assertSame(t, {}, [['whole', { 'prices.xlsx': whole }]]);
  for (let index = 0; index < whole.length; index += rounds(7, 49)) {
    const wrong = Buffer.from(whole);
    wrong[index] = (wrong[index] ?? 0) ^ (1 << (index % 8));
    const errors = await errorsOf(t, { 'prices.xlsx': wrong });
    if (errors.length === 0) await assertSame(t, {}, [[`byte ${index}`, { 'prices.xlsx': wrong }]]);
    outcomes[errors.length === 0 ? 'same' : 'refused'] += 1;
  }
  assert.ok(outcomes.same > 0 && outcomes.refused > 0, JSON.stringify(outcomes));
});
