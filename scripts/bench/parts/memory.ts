import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { residentBytes } from '../cpu.ts';
import { startVitrine } from '../node-server.ts';

/** How much memory a Vitrine takes that has loaded its catalogs and has not been asked anything. */
export interface MemoryResult {
  what: string;
  fileBytes: number;
  residentBytes: number;
  /** What it takes more than over the first catalogs, for each byte that these files have more. */
  bytesPerByte: number | undefined;
}

/** Starts Vitrine over the catalogs of each directory, and looks at its memory after a while. */
export async function measureMemory(
  catalogDirs: Record<string, string>,
  waitMs: number,
): Promise<MemoryResult[]> {
  const results: MemoryResult[] = [];
  for (const [what, dir] of Object.entries(catalogDirs)) {
    const vitrine = await startVitrine(dir);
    await delay(waitMs);
    const measured = { fileBytes: bytesIn(dir), residentBytes: residentBytes(vitrine.pid) };
    await vitrine.stop();
    const [first] = results;
    const bytesPerByte =
      first && (measured.residentBytes - first.residentBytes) / (measured.fileBytes - first.fileBytes);
    results.push({ what, ...measured, bytesPerByte });
  }
  return results;
}

function bytesIn(dir: string): number {
  return readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
}
