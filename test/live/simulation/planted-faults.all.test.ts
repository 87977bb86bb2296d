import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SetReport } from '../../../src/reader/read-set.ts';
import { snapshotOf } from '../../support/sets.ts';
import { simulate } from './simulation.ts';
import type { Parts } from './site.ts';

/** Lets readers find other reports than there are. */
function misread({ readers }: Parts, change: (report: SetReport) => SetReport): void {
  const { open } = readers;
  readers.open = () => {
    const loader = open();
    const load: typeof loader.load = async (...all) => {
      const found = await loader.load(...all);
      if (found.outcome !== 'read') return found;
      const report = change(found.report);
      return { ...found, report, snapshot: report.version ? snapshotOf(report.version) : undefined };
    };
    return { ...loader, load };
  };
}

/** Faults of the program, each of which some seed has to find. */
const planted: Record<string, (parts: Parts) => void> = {
  'a set is served before it is kept'({ history }) {
    const { keep } = history;
    history.keep = async (...all) => void keep(...all);
  },
  'a pin is ignored'({ fs }) {
    const { readStart } = fs;
    fs.readStart = (path, bytes) => readStart(path.endsWith('/pin') ? 'missing' : path, bytes);
  },
  'an error of a control file is swallowed'({ fs }) {
    const { readStart } = fs;
    fs.readStart = (...all) => readStart(...all).catch(() => undefined);
  },
  'a history that is lost is not noticed': ({ history }) => (history.isDue = () => false),
  'drastic sets are not held back': parts => misread(parts, report => ({ ...report, holds: [] })),
  'a set with errors is served': parts =>
    misread(parts, report => ({ ...report, version: report.version ?? 'bad', problems: [] })),
  'a message is taken for sent'(parts) {
    const { deliver } = parts;
    parts.deliver = async (...message) => ({ ...(await deliver(...message)), status: 200 });
  },
};

for (const [what, plant] of Object.entries(planted))
  test(`the simulation finds that ${what}`, async () => {
    for (let seed = 1; seed <= 2_000; seed += 1) {
      const found = await simulate(seed, plant).catch(() => true);
      if (found) return;
    }
    assert.fail('no seed finds it');
  });
