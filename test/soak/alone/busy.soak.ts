import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { generateCatalog } from '../../../scripts/generate-catalog.ts';
import { afterTest } from '../../support/after-test.ts';
import { writeFiles } from '../../support/catalogs.ts';
import { flagsOf, startProcess } from '../../support/process.ts';
import { rounds } from '../../support/soak.ts';

const BUSY = 16;
const ROWS = rounds(10_000, 100_000);

test(`${ROWS} news items and as many prices load beside ${BUSY} busy processes`, async t => {
  const dir = await writeFiles(t, {});
  await generateCatalog(dir, { news: ROWS, prices: ROWS, seed: 1, text: 'ascii' });
  for (let count = 0; count < BUSY; count += 1) {
    const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    afterTest(t, () => busy.kill('SIGKILL'));
  }
  const dirs = { catalogDir: dir, imagesDir: dir, stateDir: join(dir, 'state') };
  await startProcess(t, flagsOf({ port: 0, maxFileMb: 256, ...dirs })).listening();
});
