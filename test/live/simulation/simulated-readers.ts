import assert from 'node:assert/strict';
import type { Clock } from '../../../src/clock.ts';
import { errorCode, type Fs } from '../../../src/files/atomic-write.ts';
import {
  contentPath,
  type Entry,
  gzipped,
  hasContent,
  historyPath,
  keptSets,
  readEntryFiles,
  readKeptFile,
} from '../../../src/history/entries.ts';
import { keepEntry, prune } from '../../../src/history/keep.ts';
import { findVersion } from '../../../src/history/versions.ts';
import type { LoadedChange, Readers } from '../../../src/live/readers.ts';
import { reasonOf } from '../../../src/messages.ts';
import type { SetReport } from '../../../src/reader/read-set.ts';
import type { ReaderTask } from '../../../src/reader/reader-process.ts';
import { fingerprint } from '../../../src/set/directory.ts';
import { sha256 } from '../../../src/set/files.ts';
import { notCompared } from '../../../src/set/hold-back/hold-back.ts';
import { reportOf as setReport, snapshotOf } from '../../support/sets.ts';

/** The only catalog file of a simulated site. */
export const FILE = 'products.json';

/** What it holds: a set that is good or has an error, and how many rows it has. One that loses half of them is drastic. */
export interface Content {
  name: number;
  isGood: boolean;
  rows: number;
  /** The image that a news item shows. */
  image?: string;
}

export function textOf(content: Content): string {
  return JSON.stringify(content);
}

export function versionOf({ name, rows }: Content): string {
  return sha256(Buffer.from(`${name} ${rows}`)).slice(0, 12);
}

/** Whether the rules hold back such a change. */
export function isDrastic(before: Content, after: Content): boolean {
  return after.rows * 2 < before.rows;
}

/** Undefined for a text that is cut off. */
export function parse(text: string): Content | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the reader processes of the real program do, with this history and catalogs of one line. */
export function simulateReaders(
  { catalogDir, imagesDir, stateDir }: { catalogDir: string; imagesDir: string; stateDir: string },
  { clock, fs }: { clock: Clock; fs: Fs },
  random: () => number,
): Readers {
  const historyOf = (dir: string) => ({ fs, dir: historyPath(dir), onDamage: () => {} });
  const reportOf = async (text: string): Promise<SetReport> => {
    const content = parse(text);
    const bytes = Buffer.from(text);
    const digest = { file: FILE, bytes: bytes.length, sha256: sha256(bytes) };
    const catalog = { catalog: 'products', rows: content?.rows ?? 0, encoding: 'utf-8' } as const;
    const form = { sheet: undefined, delimiter: undefined, decimal: undefined, lastRow: undefined };
    const problem = { severity: 'error', code: 'BAD_JSON', file: FILE, message: 'no set' } as const;
    const images = content?.image === undefined ? [] : [content.image];
    const failed = (error: unknown) => (errorCode(error) === 'ENOENT' ? [] : images);
    const isFound =
      images.length > 0 && (await fs.readdir(imagesDir).catch(failed)).includes(String(images[0]));
    return setReport(content?.isGood ? versionOf(content) : undefined, {
      problems: content?.isGood ? [] : [problem],
      files: content ? [{ ...digest, ...catalog, ...form }] : [],
      digests: [digest],
      images: { missing: isFound ? [] : images, found: isFound ? images : [] },
    });
  };
  const open = (): ReturnType<Readers['open']> => {
    /** What this process has read. */
    const contents = new Map<string, string>();
    const ask = async (task: ReaderTask) => {
      if (task.task === 'keep') await keep(task.entry, task.copyDir ?? stateDir, contents);
      else if (task.task === 'tidy')
        await prune(historyOf(stateDir), { historyMb: 1, historyDays: 90 }, clock.now()).catch(() => {});
      else assert.fail(task.task);
    };
    return {
      // Nobody looks at the result.
      ask: ask as unknown as ReturnType<Readers['open']>['ask'],
      close() {},
      async load(expected, _served, { signal }): Promise<LoadedChange> {
        await clock.sleep(20 + random() * 300, signal, true);
        if (!expected) return assert.fail();
        const { before } = expected;
        const content = await fs.readFile(`${catalogDir}/${FILE}`).catch((error: Error) => error);
        if ((await fingerprint(catalogDir, fs)).key !== expected.fingerprint)
          return { outcome: 'incomplete', stillMs: 0 };
        if (content instanceof Error) {
          const isGone = 'code' in content && content.code === 'ENOENT';
          const [code, message] = [isGone ? 'MISSING_FILE' : 'UNREADABLE_FILE', reasonOf(content)] as const;
          const problems = [{ severity: 'error', code, file: FILE, message } as const];
          return { outcome: 'read', report: setReport(undefined, { problems }), snapshot: undefined };
        }
        const text = content.toString();
        contents.set(sha256(content), text);
        const report = await reportOf(text);
        const snapshot = report.version === undefined ? undefined : snapshotOf(report.version);
        const isSame =
          before?.files.some(file => file.sha256 === sha256(content)) && report.version !== undefined;
        if (expected.isStart && before && !isSame) return { outcome: 'different' };
        if (isSame && before?.digests) return { outcome: 'unchanged', report };
        if (!snapshot || !before) return { outcome: 'read', report, snapshot };
        const [was] = before.files;
        const former = was && (await readKeptFile(historyOf(before.stateDir), was).catch(() => undefined));
        const [one, other] = [former && parse(former.toString()), parse(text)];
        const lost = { code: 'LOST_ROWS', message: 'rows would disappear' } as const;
        const isHeld = one && other && isDrastic(one, other);
        const unknown = report.version === before.version ? [] : [notCompared(before.version)];
        const holds = !expected.holdBack ? [] : former ? (isHeld ? [lost] : []) : unknown;
        const change = { summary: 'changed', from: before.version, report: { bytes: 0, sha256: '' } };
        const changes = isSame ? undefined : change;
        return { outcome: 'read', report: { ...report, holds, changes }, snapshot };
      },
      async restore({ version }, _served, { signal }) {
        await clock.sleep(20 + random() * 300, signal, true);
        const history = historyOf(stateDir);
        if (version === '') {
          for await (const { entry, files } of keptSets(history, catalogDir)) return setOf(entry, files);
          return undefined;
        }
        const entry = await findVersion(history, version);
        const files = await readEntryFiles(history, entry.files);
        if (!files) throw new Error('damaged or missing');
        return setOf(entry, files);
      },
    };
  };
  const setOf = async (entry: Entry, [file]: { content: Buffer }[]) => {
    const report = await reportOf(String(file?.content));
    return { report, since: entry.since, snapshot: snapshotOf(String(report.version)) };
  };
  const keep = async (entry: Entry, dir: string, contents: ReadonlyMap<string, string>) => {
    const missing = new Map<string, Buffer>();
    for (const { sha256: hash } of entry.files) {
      if (await hasContent(fs, historyPath(dir), hash)) continue;
      const kept = await fs.readFile(contentPath(historyPath(stateDir), hash)).catch(() => undefined);
      const now = await fs.readFile(`${catalogDir}/${FILE}`).catch(() => Buffer.alloc(0));
      const text = contents.get(hash) ?? (sha256(now) === hash ? now.toString() : undefined);
      if (!kept && text === undefined) throw new Error(`${FILE} has changed since`);
      missing.set(hash, kept ?? gzipped(Buffer.from(text ?? '')));
    }
    await keepEntry(fs, historyPath(dir), { ...entry, report: undefined }, missing);
  };
  return { open, check: () => assert.fail(), isWhole: () => assert.fail(), close() {} };
}
