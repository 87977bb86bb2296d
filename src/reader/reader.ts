import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { MARKDOWN_FOLDER, markdownPath } from '../contract/catalog-files.ts';
import type { CatalogName } from '../contract/columns.ts';
import { systemFs, unlessMissing } from '../files/atomic-write.ts';
import { isWholeEntry } from '../history/contents.ts';
import { historyPath } from '../history/entries.ts';
import { prune } from '../history/keep.ts';
import { reasonOf } from '../messages.ts';
import { type Directory, overlaid } from '../set/directory.ts';
import { systemDirectory } from '../set/system-directory.ts';
import { chunksOf, type Extras, type SnapshotChunk, sizeOf, tabulate } from '../snapshot/chunks.ts';
import type { CatalogRows } from '../snapshot/sort.ts';
import { openTimeZone } from '../time-zone.ts';
import { readChangedSet } from './changed-set.ts';
import { keepSet } from './keep-set.ts';
import { countRows } from './progress.ts';
import type {
  CheckRequest,
  KeepRequest,
  ReaderMessage,
  ReaderResults,
  ReaderTask,
  ReadRequest,
  RestoreRequest,
  TidyRequest,
  VerifyRequest,
} from './protocol.ts';
import { type CatalogSource, readSet } from './read-set.ts';
import { restoreSet } from './restore-set.ts';

/** A collection takes longer than it is worth if it cannot free as much as this. */
const LARGE_BYTES = 2 ** 27;

/** What was in memory after the last collection. */
let leftOver = 0;

/**
 * Frees what the last step left behind; V8 would first let the heap grow. The second collection returns to the system
 * what the first one freed. Does nothing if little was added since the last time.
 */
async function collectGarbage(): Promise<void> {
  if (bytesInMemory() - leftOver < LARGE_BYTES) return;
  await yieldToEventLoop();
  globalThis.gc?.();
  await yieldToEventLoop();
  globalThis.gc?.();
  leftOver = bytesInMemory();
}

function bytesInMemory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

// The parent decides when this process ends; a signal to the process group must not.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
if (process.platform === 'linux') dieFirst();
for (;;) {
  const [request] = await once(process, 'message');
  send(await answer(request).catch(error => ({ outcome: 'failed' as const, reason: reasonOf(error) })));
}

/** When memory runs out, Linux kills this process rather than the one that serves. */
function dieFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Without a writable /proc, Linux chooses by the memory that a process takes.
  }
}

function answer(request: ReaderTask): Promise<ReaderResults[ReaderTask['task']]> {
  switch (request.task) {
    case 'read':
      return read(request);
    case 'check':
      return check(request);
    case 'restore':
      return restore(request);
    case 'keep':
      return keep(request);
    case 'tidy':
      return tidy(request);
    case 'verify':
      return verify(request);
  }
}

async function check({ contentType, ...request }: CheckRequest): Promise<ReaderResults['check']> {
  const form = buffer(process.stdin).then(body => filesOfForm(body, contentType));
  const files = await form.catch(() => undefined);
  if (!files || files.size === 0) return { outcome: 'nothing' };
  const directory = overlaid(systemDirectory(request.source), files);
  return read({ ...request, task: 'read', listAll: false }, directory);
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

/** Reads a set and sends its chunks; of what a `directory` would be, only the changes. */
async function read(
  { source, expected, listAll, resultMb }: ReadRequest,
  directory?: Directory,
): Promise<ReaderResults['read']> {
  const counter = countRows(send);
  if (!expected) {
    const options = { listAll, onRow: counter.onRow };
    const { report, rows, sources } = await readSet(systemDirectory(source), source, options);
    if (rows && sources) await sendRows(rows, { changes: undefined, sources }, source, resultMb, counter.end);
    return { outcome: 'read', report };
  }
  const damage: string[] = [];
  const onDamage = (sentence: string) => damage.push(sentence);
  const surroundings = { onRow: counter.onRow, onDamage, collectGarbage, checked: directory };
  const result = await readChangedSet(source, expected, surroundings);
  if (result.outcome !== 'read') return { ...result, damage };
  const { report, rows, sources, unchanged, compared } = result;
  if (!rows || !sources) return { outcome: 'read', report, damage };
  const extras = { changes: compared?.table, sources };
  await sendRows(rows, extras, source, resultMb, counter.end, unchanged, directory && ['changes']);
  return { outcome: 'read', report: { ...report, changes: compared?.changes }, damage };
}

async function restore({ source, wanted, resultMb }: RestoreRequest): Promise<ReaderResults['restore']> {
  const damage: string[] = [];
  const counter = countRows(send);
  const onDamage = (sentence: string) => damage.push(sentence);
  const set = await restoreSet(source, wanted, { onRow: counter.onRow, onDamage, collectGarbage });
  if (!set?.rows || !set.sources) return { outcome: 'nothing', damage };
  const { rows, sources, since, compared } = set;
  await sendRows(rows, { changes: compared?.table, sources }, source, resultMb, counter.end);
  return { outcome: 'restored', report: { ...set.report, changes: compared?.changes }, since, damage };
}

async function keep({ source, entry, aside }: KeepRequest): Promise<ReaderResults['keep']> {
  return { outcome: 'kept', bytes: await keepSet(source, entry, aside) };
}

async function tidy({ source, addedBytes }: TidyRequest): Promise<ReaderResults['tidy']> {
  const damage: string[] = [];
  const dir = historyPath(source.stateDir);
  const isAddedUp = await prune(systemFs, dir, source, addedBytes, Date.now() / 1000, sentence =>
    damage.push(sentence),
  ).catch(error => {
    damage.push(`cannot delete old sets from the history: ${reasonOf(error)}`);
    return false;
  });
  await deleteFormerCache(source.stateDir).catch(error => {
    damage.push(`cannot delete the cache of a former version: ${reasonOf(error)}`);
  });
  return { outcome: 'tidied', isAddedUp, damage };
}

/** Deletes what former versions of Vitrine kept in `STATE_DIR/cache`, and nothing else. */
async function deleteFormerCache(stateDir: string): Promise<void> {
  const dir = join(stateDir, 'cache');
  const names = await readdir(dir).catch(unlessMissing);
  if (!names) return;
  const own = names.filter(name => /^[a-z_]+-[0-9a-f]{64}\.(rows|tables)(\.tmp)?$/.test(name));
  for (const name of own) await unlink(join(dir, name)).catch(unlessMissing);
  if (own.length === names.length) await rmdir(dir).catch(unlessMissing);
}

async function verify({ source, entry }: VerifyRequest): Promise<ReaderResults['verify']> {
  const damage: string[] = [];
  const isWhole = await isWholeEntry(systemFs, historyPath(source.stateDir), entry, sentence =>
    damage.push(sentence),
  );
  return { outcome: 'verified', isWhole, damage };
}

/** Sends a set, or only some `parts`. The set that is served has its `unchanged` catalogs already. */
async function sendRows(
  rows: CatalogRows,
  extras: Extras,
  { timeZone }: CatalogSource,
  resultMb: number,
  onEnd: () => void,
  unchanged: readonly CatalogName[] = [],
  parts?: readonly SnapshotChunk['catalog'][],
): Promise<void> {
  const sendPart = async (chunk: SnapshotChunk) => {
    if (!parts || parts.includes(chunk.catalog)) await sendChunk(chunk);
  };
  onEnd();
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
  if (megabytes > resultMb) throw new Error(tooBig(megabytes, Math.floor(resultMb)));
  const isTooMuch = sizeOf(tables, extras) > resultMb * 2 ** 20;
  for await (const chunk of chunksOf(tables, isTooMuch ? undefined : extras, collectGarbage))
    await sendPart(chunk);
}

/** Resolves when the next one is asked for. */
async function sendChunk(chunk: SnapshotChunk): Promise<void> {
  send(chunk);
  await once(process, 'message');
}

function tooBig(megabytes: number, available: number): string {
  return `its rows need ${megabytes} MB of memory, and ${available} MB are available: make the files smaller, or set LOAD_MEMORY_MB`;
}

function send(message: ReaderMessage): void {
  process.send?.(message);
}
