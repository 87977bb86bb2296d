// The reader process: it reads sets of catalog files for the serving process, so that no file can harm the service.
//
// `reader-process.ts` is the side of the parent: it starts this process, sends tasks, and kills it beyond its limits
// (`limits.ts`). `changed-set.ts` reads a changed set and compares it with the set before; `read-set.ts` reads a set as such;
// `form.ts` reads the files of a check; `keep-set.ts` stores sets in the history. Rows are sent in chunks.
//
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { imageType, isMarkdownPath, MARKDOWN_FILES } from '../contract/catalog-files.ts';
import { MAX_LISTED } from '../contract/history.ts';
import { historyDirectory, historyIn, keptSets, readEntryFiles } from '../history/entries.ts';
import { prune } from '../history/keep.ts';
import { findVersion } from '../history/versions.ts';
import { reasonOf } from '../messages.ts';
import { formatProblem } from '../set/collect-problems.ts';
import { type ChangeTable, type NameOf, withNames } from '../set/compare/changes.ts';
import { imageFiles, systemDirectory, withFiles } from '../set/directory.ts';
import { chunksOf, type SnapshotChunk, sizeOf, tabulate } from '../snapshot/chunks.ts';
import type { CatalogRows } from '../snapshot/sort.ts';
import { openTimeZone } from '../time-zone.ts';
import { type NextSet, readChangedSet } from './changed-set.ts';
import { filesByPath, readForm, whyNotRead } from './form.ts';
import { type Contents, keepSet } from './keep-set.ts';
import { type CatalogSource, type ReadSet, readSet, type SetReport } from './read-set.ts';
import type { ReaderMessage, ReaderRequest, ReaderResults, ReaderTask, WantedSet } from './reader-process.ts';

// The parent decides when this process ends; signals to the process group must not.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
try {
  // If memory runs out, Linux then kills this process rather than the one that serves.
  if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Without a writable /proc, Linux chooses by memory use.
}
/** Rows between two progress messages, unless the percentage rises sooner. */
const ROWS_PER_MESSAGE = 5_000;
/** Shorter Markdown files are reported together, since messages take time. */
const NAMED_LENGTH = 2 ** 14;
let readRows = 0;
let readPercent = 0;
let currentFile = '';
/** Of the last set that was read. */
let contents: Contents = new Map();
for (;;) {
  const [request] = await once(process, 'message');
  [readRows, readPercent, currentFile] = [0, 0, ''];
  try {
    const done = await answer(request, contents);
    contents = done.contents ?? contents;
    sendMessage(done.result);
  } catch (error) {
    sendMessage({ outcome: 'failed', reason: reasonOf(error) });
  }
}

/** Reports progress now and then. `part` is the part of all bytes up to the end of a row. */
function onRow(part: number): void {
  readRows += 1;
  const before = readPercent;
  readPercent = Math.floor(part * 100);
  if (readPercent > before || readRows % ROWS_PER_MESSAGE === 0)
    sendMessage({ rows: readRows, percent: readPercent });
}

function onFile(file: string, length: number): void {
  const name = isMarkdownPath(file) && length < NAMED_LENGTH ? MARKDOWN_FILES : file;
  if (name !== currentFile) sendMessage({ file: name });
  currentFile = name;
}

function onDamage(sentence: string): void {
  sendMessage({ damage: sentence });
}

/** The result of a task and, after a read, the contents that the history lacks. */
interface Done {
  result: ReaderResults[ReaderTask['task']];
  contents?: Contents;
}

async function answer(request: ReaderRequest, contents: Contents): Promise<Done> {
  if (request === 'next') throw new Error('no chunk was sent');
  const { source } = request;
  const history = historyIn(source.stateDir, onDamage);
  switch (request.task) {
    case 'read': {
      const { expected, listAll } = request;
      if (!expected)
        return sendSet(await readSet(systemDirectory(source), source, { listAll, onRow, onFile }), source);
      const set = await readChangedSet(source, expected, { onRow, onFile, onDamage });
      return set.outcome === 'read' ? sendSet(set, source) : { result: set };
    }
    case 'check': {
      const form = await readForm(await buffer(process.stdin), request.contentType).catch(() => undefined);
      if (!form || (form.files.length === 0 && !form.isComplete)) return { result: { outcome: 'nothing' } };
      const { files, isComplete } = form;
      const places = isComplete ? new Map(files.map(file => [file.path, file])) : filesByPath(files);
      const { directory: other, read } = withFiles(systemDirectory(source), places, isComplete);
      const set = await readChangedSet(source, request.expected, { onRow, onFile, onDamage, other });
      if (!('report' in set)) throw new Error('the files of a form do not change');
      const placeOf = new Map(Array.from(places, ([place, file]) => [file, place]));
      const notRead = files
        .filter(file => !read.has(file))
        .map(file => ({ file: file.path, message: whyNotRead(placeOf.get(file), set.report.problems) }));
      const catalogFiles = [...read].filter(({ path }) => !imageType(path)).length;
      const about = { form: { isComplete, files: files.length, catalogFiles, notRead } };
      if (set.outcome === 'unchanged') return { result: { ...set, ...about } };
      const { compared, rows } = set;
      const listed = compared && rows && { ...compared, table: named(compared.table, rows) };
      const { result } = await sendSet({ ...set, compared: listed }, source, ['changes']);
      return { result: { ...result, ...about } };
    }
    case 'restore':
      return restore(source, request.wanted);
    case 'keep':
      await keepSet(source, request.entry, contents, request.copyDir);
      return { result: { outcome: 'kept' } };
    case 'tidy':
      await prune(history, source, Date.now() / 1000).catch(error => {
        onDamage(`cannot delete old sets from the history: ${reasonOf(error)}`);
      });
      return { result: { outcome: 'tidied' } };
    case 'verify': {
      const isWhole = (await readEntryFiles(history, request.entry.files)) !== undefined;
      return { result: { outcome: 'verified', isWhole } };
    }
  }
}

/** Returns all changes, including future prices, with the names of the new rows. */
function named(table: ChangeTable, rows: CatalogRows): ChangeTable {
  const { head, changes } = table.own ?? table;
  const nameOf: NameOf = (catalog, id) => {
    const all: readonly { id: number; name?: string; title?: string }[] = rows[catalog] ?? [];
    const row = all.find(row => row.id === id);
    return row?.title ?? row?.name;
  };
  const listed = withNames(changes.slice(0, MAX_LISTED), nameOf);
  return { head, changes: [...listed, ...changes.slice(MAX_LISTED)] };
}

/** Reads a set of the history and sends it. @throws Error that says why the wanted version cannot be read. */
async function restore(source: CatalogSource, { version, replaced }: WantedSet): Promise<Done> {
  for await (const { entry, files } of wantedSets(source, version)) {
    const before = replaced ?? { ...entry, stateDir: source.stateDir, digests: undefined };
    const expected = { fingerprint: '', stillMs: 0, isBeingWritten: false, before, holdBack: false };
    const other = historyDirectory(files, () => imageFiles(source.imagesDir));
    const options = { onRow, onFile, onDamage, other, wasServed: true };
    const set = await readChangedSet({ ...source, ...entry.reading }, expected, options);
    if (set.outcome === 'read' && set.rows) {
      const { result } = await sendSet(set, source);
      return { result: { ...result, since: entry.since }, contents: set.contents };
    }
    const problem = 'report' in set ? set.report.problems[0] : undefined;
    const reason = `version ${entry.version} of the history cannot be served: ${problem && formatProblem(problem)}`;
    if (version !== '') throw new Error(reason);
    onDamage(reason);
  }
  return { result: { outcome: 'nothing' } };
}

/** Yields the entry of a version or, if that is empty, those of the directory, newest first. */
async function* wantedSets({ stateDir, catalogDir }: CatalogSource, version: string) {
  const history = historyIn(stateDir, onDamage);
  if (version === '') return yield* keptSets(history, catalogDir);
  const entry = await findVersion(history, version);
  const files = await readEntryFiles(history, entry.files);
  if (!files) throw new Error(`files of version ${entry.version} in the history are damaged or missing`);
  yield { entry, files };
}

/** Sends a set without errors, or only some `parts` of it. */
async function sendSet(
  set: Omit<ReadSet, 'content'> & Partial<NextSet>,
  { timeZone, loadMemoryMb }: CatalogSource,
  parts?: readonly SnapshotChunk['catalog'][],
) {
  const { report, rows, sources, unchanged = [], compared, contents = new Map() } = set;
  const done = (report: SetReport) => ({ result: { outcome: 'read' as const, report }, contents });
  if (!rows || !sources) return done(report);
  const sendPart = async (chunk: SnapshotChunk) => {
    if (parts && !parts.includes(chunk.catalog)) return;
    sendMessage(chunk);
    // Wait until the parent asks for the next chunk.
    await once(process, 'message');
  };
  sendMessage({ rows: readRows, percent: 100 });
  // Which prices are served depends on the configurations.
  const shared = unchanged.filter(name => name !== 'prices' || unchanged.includes('configurations'));
  for (const name of shared) await sendPart({ catalog: 'served', name });
  const sent = { ...rows, ...Object.fromEntries(shared.map(name => [name, undefined])) };
  const tables = tabulate(sent, openTimeZone(timeZone), rows);
  const megabytes = Math.ceil(sizeOf(tables) / 2 ** 20);
  // The served set takes the other half of the memory.
  const available = loadMemoryMb / 2;
  if (megabytes > available)
    throw new Error(
      `its rows need ${megabytes} MB of memory, and ${Math.floor(available)} MB are available: make the files smaller, or set LOAD_MEMORY_MB`,
    );
  const extras = { changes: compared?.table, sources };
  const isTooMuch = sizeOf(tables, extras) > available * 2 ** 20;
  for (const chunk of chunksOf(tables, isTooMuch ? undefined : extras)) await sendPart(chunk);
  return done(compared ? { ...report, changes: compared.changes } : report);
}

function sendMessage(message: ReaderMessage): void {
  process.send?.(message);
}
