import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProblem, type ProblemCode, problems } from '../../src/contract/problems.ts';
import { type Fault, faults, hugeFaults } from '../support/catalog/faults/faults.ts';
import { readFiles, readSource } from '../support/catalog/read-source.ts';
import { shopWith, sourceIn } from '../support/catalogs.ts';
import { skipInQuickRun } from '../support/skipping.ts';

async function assertReported(list: readonly Fault[]): Promise<void> {
  for (const [files, told, options] of list) {
    const { report } = await readFiles(shopWith(files), options);
    // Where prices are replaced, configurations lose theirs, and the shop's own image is never there.
    const lines = report.problems
      .map(formatProblem)
      .filter(line => line === told || !/ NO_PRICE | NO_IMAGE /.test(line));
    assert.deepEqual(lines, [told]);
    assert.equal(report.version === undefined, / error /.test(told), told);
  }
}

test('each problem is reported with file, line, column, code and what to write instead', () =>
  assertReported(faults));

test('so are problems of huge files', { skip: skipInQuickRun }, () => assertReported(hugeFaults));

test('a missing directory is reported as missing', async () => {
  const { report } = await readSource(sourceIn('/nowhere/at all'));
  const [problem] = report.problems;
  assert.equal(problem?.code, 'NO_DIRECTORY');
  assert.match(
    formatProblem(report.problems[0] ?? assert.fail()),
    /^\/nowhere\/at all: error NO_DIRECTORY this folder does not exist: create it/,
  );
});

test('every problem in the table can happen', () => {
  const seen = new Set(
    [...faults, ...hugeFaults].map(([, told]) => told.split(' ').find(word => word in problems)),
  );
  const elsewhere: ProblemCode[] = [
    ...(['NO_DIRECTORY', 'UNREADABLE_FILE', 'LOAD_FAILED', 'FILE_TOO_BIG'] as const),
    ...(['NOT_READ'] as const),
  ];
  assert.deepEqual(
    Object.keys(problems).filter(code => !seen.has(code) && !elsewhere.includes(code as ProblemCode)),
    [],
  );
});
