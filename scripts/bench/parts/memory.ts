import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { residentBytes } from '../cpu.ts';
import { startVitrine } from '../node-server.ts';

/** The memory of Vitrine after it loads its catalogs, before any request. */
export interface MemoryResult {
  what: string;
  fileBytes: number;
  residentBytes: number;
  /** How many bytes more than over the first catalogs, for each byte that the files are larger. */
  bytesPerByte: number | undefined;
}

/** Starts Vitrine over the catalogs of each directory, and reads its memory after a while. */
export async function measureMemory(
  catalogDirs: Record<string, string>,
  waitMs: number,
): Promise<MemoryResult[]> {
  const results: MemoryResult[] = [];
  for (const [what, dir] of Object.entries(catalogDirs)) {
    const vitrine = await startVitrine(dir);
    await delay(waitMs);
    const fileBytes = readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
    const memory = residentBytes(vitrine.pid);
    await vitrine.stop();
    const [first] = results;
    const bytesPerByte = first && (memory - first.residentBytes) / (fileBytes - first.fileBytes);
    results.push({ what, fileBytes, residentBytes: memory, bytesPerByte });
  }
  return results;
}
