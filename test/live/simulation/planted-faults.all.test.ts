import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fs } from '../../../src/files/atomic-write.ts';
import { snapshotOf } from '../../support/sets.ts';
import { simulate } from './simulation.ts';
import type { Parts } from './site.ts';

/** Reads of these paths say that there is no file. */
function withoutReading(fs: Fs, paths: RegExp): Fs {
  const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' });
  const readStart: Fs['readStart'] = async (path, bytes) =>
    paths.test(path) ? Promise.reject(missing) : fs.readStart(path, bytes);
  return { ...fs, readStart };
}

type Loader = ReturnType<Parts['readers']['open']>;
type Change = Awaited<ReturnType<Loader['load']>>;
/** Readers that read something else than there is. */
const misreading = (misread: (change: Extract<Change, { outcome: 'read' }>) => Change) => (parts: Parts) => {
  const open = (): Loader => {
    const loader = parts.readers.open();
    const load: Loader['load'] = async (...all) => {
      const change = await loader.load(...all);
      return change.outcome === 'read' ? misread(change) : change;
    };
    return { ...loader, load };
  };
  return { ...parts, readers: { ...parts.readers, open } };
};

/** Faults of the program, each of which some seed has to find. */
const planted: Record<string, (parts: Parts) => Parts> = {
  'a set is served before it is kept': parts => ({
    ...parts,
    history: { ...parts.history, keep: async (next, loader) => void parts.history.keep(next, loader) },
  }),
  'a set is not kept': parts => ({ ...parts, history: { ...parts.history, keep: async () => {} } }),
  'a pin is ignored': parts => ({ ...parts, fs: withoutReading(parts.fs, /\/pin$/) }),
  'a confirmation is ignored': parts => ({ ...parts, fs: withoutReading(parts.fs, /\/publish$/) }),
  'an error of a control file is swallowed': parts => ({
    ...parts,
    fs: {
      ...parts.fs,
      readStart: (path, bytes) => parts.fs.readStart(path, bytes).catch(() => undefined),
    },
  }),
  'a history that is lost is not noticed': parts => ({
    ...parts,
    history: { ...parts.history, isDue: () => false },
  }),
  'a file that cannot be read is not read again': misreading(change => {
    const problems = change.report.problems.map(problem => ({ ...problem, code: 'BAD_JSON' as const }));
    return { ...change, report: { ...change.report, problems } };
  }),
  'drastic sets are not held back': misreading(change => ({
    ...change,
    report: { ...change.report, holds: [] },
  })),
  'a set with errors is served': misreading(change => {
    if (change.report.version !== undefined) return change;
    const report = { ...change.report, version: 'bad', problems: [], holds: [] };
    return { outcome: 'read', report, snapshot: snapshotOf('bad') };
  }),
  'a message is taken for sent': parts => ({
    ...parts,
    deliver: async (...message) => {
      const answer = await parts.deliver(...message);
      return { ...answer, status: 200 };
    },
  }),
};

for (const [what, plant] of Object.entries(planted))
  test(`the simulation finds that ${what}`, async () => {
    for (let seed = 1; seed <= 2_000; seed += 1) {
      const found = await simulate(seed, plant).catch(() => true);
      if (found) return;
    }
    assert.fail('no seed finds it');
  });
