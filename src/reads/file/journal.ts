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

/** Parses the intact lines of a journal, and counts the others; a last line without an end is that of a crash. */
export function parseJournal(text: string): { records: JournalRecord[]; damaged: number } {
  const lines = text.split('\n').slice(0, -1);
  const records = lines.map(parseRecord).filter(record => record !== undefined);
  return { records, damaged: lines.length - records.length };
}

function parseRecord(line: string): JournalRecord | undefined {
  const [, checksum, text = '', generation, values = ''] = /^(\w{8}) ((\d+) (\{.*\}))$/.exec(line) ?? [];
  if (checksum === undefined || checksum !== checksumOf(text)) return undefined;
  return { generation: Number(generation), values: JSON.parse(values) };
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
