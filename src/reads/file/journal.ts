import { crc32 } from 'node:zlib';

/** What changed since the state file of a generation: absolute values, of which the last one wins. */
export interface JournalRecord {
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
