import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../../../src/contract/problems.ts';
import { loadCatalog } from '../../../src/live/readers.ts';
import type { CatalogSource, SetReport } from '../../../src/reader/read-set.ts';
import { settingsFrom } from '../../../src/settings/read.ts';
import { readSource } from '../catalog/read-source.ts';
import { type Case, writeCase } from './cases.ts';
import type { Target } from './fuzz.ts';
import { checkReport } from './reports.ts';
import { drawSet, ENCODING, setOf } from './sets.ts';

/** Sets of at most so many bytes are read without a loader, whose start takes longer than they do. */
const SMALL = 32_768;
/** And one in so many of them with it. */
const LOAD_EVERY = 20;
/** How long a small set may take, in ms of the processor: a thousand times what it does take. */
const SMALL_MS = 20_000;
/** How long any set may take, also on a busy machine; no file has more than a megabyte. */
const SECONDS = 60;

/** Sets, each in a folder of its own below `scratch`. */
export function openCatalogs(scratch: string): Target {
  let read = 0;
  return {
    name: 'catalogs',
    draw: drawSet,
    async run(item) {
      read += 1;
      const catalogDir = join(scratch, String(read));
      const files = setOf(item);
      writeCase(catalogDir, files);
      try {
        const source = sourceOf(catalogDir, item);
        const bytes = Object.values(files).reduce((sum, { length }) => sum + length, 0);
        const isSmall = bytes <= SMALL && read % LOAD_EVERY !== 0;
        const report = await (isSmall ? readHere(source) : loadElsewhere(source));
        checkReport(report, files, source);
        const codes = new Set(report.problems.map(({ code }) => code));
        return [report.version ? 'loaded' : 'refused', ...codes];
      } finally {
        await rm(catalogDir, { recursive: true });
      }
    },
  };
}

/** How the set of a case is read. */
function sourceOf(catalogDir: string, item: Case): CatalogSource {
  const csvEncoding = (item[ENCODING] ?? 'utf-8') as CatalogSource['csvEncoding'];
  return settingsFrom({ catalogDir, imagesDir: catalogDir, maxFileMb: 1, csvEncoding });
}

async function readHere(source: CatalogSource): Promise<SetReport> {
  const before = process.cpuUsage();
  const { report } = await readSource(source);
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < SMALL_MS * 1000, 'a small set takes long');
  return report;
}

async function loadElsewhere(source: CatalogSource): Promise<SetReport> {
  const { report, snapshot } = await loadCatalog({ ...source, loadMemoryMb: 256, loadSeconds: SECONDS });
  assert.ok(!report.problems.some(isTimeout), 'a set takes too long');
  assert.equal(snapshot?.version, report.version, 'a set without an error has no snapshot');
  return report;
}

function isTimeout({ code, message }: Problem): boolean {
  return code === 'LOAD_FAILED' && message.includes(`${SECONDS} s`);
}
