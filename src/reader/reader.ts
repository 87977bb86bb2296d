import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { MARKDOWN_FOLDER, markdownPath } from '../contract/catalog-files.ts';
import { systemFs, unlessMissing } from '../files/atomic-write.ts';
import { isWholeEntry } from '../history/contents.ts';
import { historyPath } from '../history/entries.ts';
import { prune } from '../history/keep.ts';
import { reasonOf } from '../messages.ts';
import { overlaid } from '../set/directory.ts';
import { systemDirectory } from '../set/system-directory.ts';
import { chunksOf, type SnapshotChunk, sizeOf, tabulate } from '../snapshot/chunks.ts';
import { openTimeZone } from '../time-zone.ts';
import { type NextSet, readChangedSet, restoreSet } from './changed-set.ts';
import { keepSet } from './keep-set.ts';
import { collectGarbage } from './limits.ts';
import type { ReaderMessage, ReaderRequest, ReaderResults, ReaderTask } from './protocol.ts';
import { type CatalogSource, readSet, type SetReport } from './read-set.ts';

// The parent decides when this process ends; a signal to the process group must not.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
if (process.platform === 'linux') dieFirst();
/** How many rows are read between two messages, unless the percentage rises sooner. */
const ROWS_PER_MESSAGE = 5_000;

/** How far the present task is. */
let readRows = 0;
let readPercent = 0;
for (;;) {
  const [request] = await once(process, 'message');
  readRows = 0;
  readPercent = 0;
  send(await answer(request).catch(error => ({ outcome: 'failed' as const, reason: reasonOf(error) })));
}

/** Says now and then how far the reading is: a row ends at this part of all bytes, from 0 to 1. */
function onRow(part: number): void {
  readRows += 1;
  const before = readPercent;
  readPercent = Math.floor(part * 100);
  if (readPercent > before || readRows % ROWS_PER_MESSAGE === 0)
    send({ rows: readRows, percent: readPercent });
}

function onDamage(sentence: string): void {
  send({ damage: sentence });
}

/** When memory runs out, Linux kills this process rather than the one that serves. */
function dieFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Without a writable /proc, Linux chooses by the memory that a process takes.
  }
}

async function answer(request: ReaderRequest): Promise<ReaderResults[ReaderTask['task']]> {
  if (request === 'next') throw new Error('no chunk was sent');
  const { source } = request;
  const dir = historyPath(source.stateDir);
  switch (request.task) {
    case 'read':
      return read(source, request);
    case 'check': {
      const files = await filesOfForm(await buffer(process.stdin), request.contentType).catch(
        () => undefined,
      );
      if (!files || files.size === 0) return { outcome: 'nothing' };
      const set = await readChangedSet(source, request.expected, {
        onRow,
        onDamage,
        other: overlaid(systemDirectory(source), files),
      });
      return set.outcome === 'read' ? sendSet(set, source, ['changes']) : set;
    }
    case 'restore': {
      const set = await restoreSet(source, request.wanted, { onRow, onDamage });
      if (!set) return { outcome: 'nothing' };
      return { ...(await sendSet(set, source)), since: set.since };
    }
    case 'keep':
      await keepSet(source, request.entry, request.aside);
      return { outcome: 'kept' };
    case 'tidy':
      await prune(systemFs, dir, source, Date.now() / 1000, onDamage).catch(error => {
        onDamage(`cannot delete old sets from the history: ${reasonOf(error)}`);
      });
      await deleteFormerCache(source.stateDir).catch(error => {
        onDamage(`cannot delete the cache of a former version: ${reasonOf(error)}`);
      });
      return { outcome: 'tidied' };
    case 'verify':
      return { outcome: 'verified', isWhole: await isWholeEntry(systemFs, dir, request.entry, onDamage) };
  }
}

/**
 * The files of a form (RFC 7578) by their paths among the catalogs: those dropped alone, in their folder, or in that of the
 * Markdown files. Of namesakes, the last one counts.
 * @throws Error if it is not such a form, or has no files.
 */
async function filesOfForm(body: Buffer, contentType: string): Promise<Map<string, Buffer>> {
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
  const files = new Map<string, Buffer>();
  for (const file of form.getAll('files')) {
    if (typeof file === 'string') continue;
    const place = placeOf(file.name);
    if (place !== undefined) files.set(place, Buffer.from(await file.arrayBuffer()));
  }
  return files;
}

/** A text alone is a news item. Undefined in another folder of the catalogs, such as one of old copies. */
function placeOf(path: string): string | undefined {
  const [name = '', folder, ...others] = path.split('/').filter(Boolean).reverse();
  const isText = folder === undefined ? /\.md$/i.test(name) : folder === MARKDOWN_FOLDER;
  if (others.length > (isText ? 1 : 0)) return undefined;
  return isText ? markdownPath(name) : name;
}

async function read(
  source: CatalogSource,
  { expected, listAll }: Extract<ReaderTask, { task: 'read' }>,
): Promise<ReaderResults['read']> {
  if (expected) {
    const set = await readChangedSet(source, expected, { onRow, onDamage });
    return set.outcome === 'read' ? sendSet(set, source) : set;
  }
  const set = await readSet(systemDirectory(source), source, { listAll, onRow });
  return sendSet({ ...set, unchanged: [], compared: undefined }, source);
}

/** Deletes what former versions of Vitrine kept in `STATE_DIR/cache`, and nothing else. */
async function deleteFormerCache(stateDir: string): Promise<void> {
  const dir = join(stateDir, 'cache');
  const names = (await readdir(dir).catch(unlessMissing)) ?? [];
  const own = names.filter(name => /^[a-z_]+-[0-9a-f]{64}\.(rows|tables)(\.tmp)?$/.test(name));
  for (const name of own) await unlink(join(dir, name)).catch(unlessMissing);
  if (own.length > 0 && own.length === names.length) await rmdir(dir);
}

/** Sends a set without errors, or only some `parts` of it. */
async function sendSet(
  { report, rows, sources, unchanged, compared }: Omit<NextSet, 'outcome'>,
  { timeZone, loadMemoryMb }: CatalogSource,
  parts?: readonly SnapshotChunk['catalog'][],
): Promise<{ outcome: 'read'; report: SetReport }> {
  if (!rows || !sources) return { outcome: 'read', report };
  const sendPart = async (chunk: SnapshotChunk) => {
    if (parts && !parts.includes(chunk.catalog)) return;
    send(chunk);
    // The next one is asked for.
    await once(process, 'message');
  };
  send({ rows: readRows, percent: 100 });
  for (const name of unchanged) {
    // Configurations decide which prices are served.
    if (name === 'prices' && !unchanged.includes('configurations')) continue;
    rows[name] = undefined;
    await sendPart({ catalog: 'served', name });
  }
  await collectGarbage();
  const tables = await tabulate(rows, openTimeZone(timeZone), collectGarbage);
  await collectGarbage();
  const megabytes = Math.ceil(sizeOf(tables) / 2 ** 20);
  // The other half of the memory is for the set that is already served.
  const resultMb = loadMemoryMb / 2;
  if (megabytes > resultMb) throw new Error(tooBig(megabytes, Math.floor(resultMb)));
  const extras = { changes: compared?.table, sources };
  const isTooMuch = sizeOf(tables, extras) > resultMb * 2 ** 20;
  for await (const chunk of chunksOf(tables, isTooMuch ? undefined : extras, collectGarbage))
    await sendPart(chunk);
  return { outcome: 'read', report: compared ? { ...report, changes: compared.changes } : report };
}

function tooBig(megabytes: number, available: number): string {
  return `its rows need ${megabytes} MB of memory, and ${available} MB are available: make the files smaller, or set LOAD_MEMORY_MB`;
}

function send(message: ReaderMessage): void {
  process.send?.(message);
}
