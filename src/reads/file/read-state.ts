import { crc32 } from 'node:zlib';
import { errorCode, type Fs, previousPath } from '../../files/atomic-write.ts';
import {
  NewerFormatError,
  type ParsedState,
  parseState,
  type StateFormat,
} from '../../files/state-format.ts';

/** What the files of a state hold together. */
interface FoundState<State> {
  /** Undefined if there is neither a file nor a journal. */
  state: State | undefined;
  /** The largest in any of the files. */
  generation: number;
  /** Whether the file itself is intact and the newest, so that a journal may continue it. */
  isIntact: boolean;
  isEdited: boolean;
  hasJournal: boolean;
  /** Whether the predecessor has a newer format. It is not read then, and the next save must not replace it. */
  isPreviousNewer: boolean;
  broken: { path: string; isJournal: boolean; reason: string }[];
}

/**
 * Reads the newest intact file of the two, and applies the journals that continue it; then merges a file that somebody
 * edited or replaced by an older one. Changes nothing on the disk.
 * @throws NewerFormatError if the file has a newer format, or its predecessor while the file is missing or broken; and
 * Error if one cannot be read.
 */
export async function readState<State>(
  fs: Fs,
  path: string,
  format: StateFormat<State>,
): Promise<FoundState<State>> {
  const broken: FoundState<State>['broken'] = [];
  const read = async (path: string): Promise<ParsedState<State> | undefined> => {
    const text = await readText(fs, path);
    try {
      return text === undefined ? undefined : parseState(text, path, format);
    } catch (reason) {
      if (reason instanceof NewerFormatError) throw reason;
      broken.push({ path, isJournal: false, reason: String(reason) });
      return undefined;
    }
  };
  const file = await read(path);
  let isPreviousNewer = false;
  const previous = await read(previousPath(path)).catch(error => {
    if (!file || !(error instanceof NewerFormatError)) throw error;
    isPreviousNewer = true;
    return undefined;
  });
  const found = [file, previous].filter(one => one !== undefined);
  const [base] = found.filter(file => !file.isEdited).sort((one, other) => other.generation - one.generation);
  const first = base?.generation ?? 0;
  let state = base?.state;

  const apply = ({ values }: JournalRecord): boolean => {
    try {
      state ??= format.empty();
      format.apply(state, values);
      return true;
    } catch {
      return false;
    }
  };
  // The newer one first: meanwhile, a service may begin a new one.
  const journals: { path: string; text: string }[] = [];
  for (const name of [journalPath(path), previousPath(journalPath(path))]) {
    const text = await readText(fs, name);
    if (text !== undefined) journals.unshift({ path: name, text });
  }
  let generation = Math.max(0, ...found.map(file => file.generation));
  for (const { path, text } of journals) {
    const { records, damaged } = parseJournal(text);
    const current = records.filter(record => record.generation >= first);
    for (const record of current) generation = Math.max(generation, record.generation);
    const bad = damaged + current.filter(record => !apply(record)).length;
    if (bad > 0 && (current.length > 0 || records.length === 0))
      broken.push({ path, isJournal: true, reason: `damaged lines: ${bad}` });
  }
  // An intact file includes everything of its predecessor, so an excess there is damage.
  const others = base && base === file ? [] : found.filter(file => file !== base);
  for (const { state: other } of others)
    state = state && format.merge ? format.merge(state, other) : (state ?? other);
  return {
    state,
    generation,
    isIntact: base !== undefined && base === file,
    isEdited: file?.isEdited === true,
    hasJournal: journals.length > 0,
    isPreviousNewer,
    broken,
  };
}

async function readText(fs: Fs, path: string): Promise<string | undefined> {
  try {
    return await fs.readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    // A retry cannot help: treat a directory as a broken file.
    if (errorCode(error) === 'EISDIR') return '';
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

/** What changed since the state file of a generation: absolute values, of which the last one wins. */
interface JournalRecord {
  generation: number;
  values: Record<string, unknown>;
}

export function journalPath(path: string): string {
  return `${path}.journal`;
}

/** A line such as `1c291ca3 17 {"12":103}`. Each names the generation, so that none depends on another line. */
export function formatRecord({ generation, values }: JournalRecord): string {
  const text = `${generation} ${JSON.stringify(values)}`;
  return `${checksumOf(text)} ${text}\n`;
}

/** A checksum proves a record wherever it lies. The values of news items, columns and owners have no braces. */
const RECORD = /([0-9a-f]{8}) ((\d+) (\{[^{}]*\}))/g;

/**
 * Parses the intact records of a journal, and counts the lines that are damaged: a record survives even if the end of its
 * line does not. What a crash leaves at the end is no damage: a part of a record, or one that lacks the end of its line.
 */
export function parseJournal(text: string): { records: JournalRecord[]; damaged: number } {
  const lines = text.split('\n').map(line => ({ line, found: findRecords(line) }));
  const last = lines.length - 1;
  const damaged = lines.filter(({ line, found }, index) => {
    const isLeftByCrash = index === last && found.length === 0;
    return !isLeftByCrash && !(found.length === 1 && found[0]?.text === line);
  });
  return {
    records: lines.flatMap(({ found }) => found.map(({ record }) => record)),
    damaged: damaged.length,
  };
}

function findRecords(line: string): { text: string; record: JournalRecord }[] {
  return Array.from(line.matchAll(RECORD))
    .filter(([, checksum, text = '']) => checksum === checksumOf(text))
    .map(([text, , , generation, values = '']) => ({
      text,
      record: { generation: Number(generation), values: JSON.parse(values) },
    }));
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
