import type { CatalogName } from '../../contract/columns.ts';
import type { Reading } from '../../history/entry.ts';
import type { jsonReport } from '../../live/report.ts';
import type { Progress } from '../../reader/progress.ts';
import type { ListedChanges } from '../../set/compare/listed.ts';

/** A file that somebody drops onto the page. */
export interface DroppedFile {
  /** Its name; or its path in a folder that was dropped, with slashes. */
  path: string;
  bytes: ArrayBuffer;
}

/** What files are checked against. */
export interface CheckOptions {
  /**
   * Where a service is mounted: what it serves stands for the catalogs that were not dropped, and is compared with the
   * result. Without it, the files are a whole set.
   */
  against?: string | undefined;
  /** How the files are read; as the service reads its own, or else as by default, unless this says otherwise. */
  reading?: Partial<Reading> | undefined;
}

/** What is wrong with dropped files, and what they would change. Images are not looked for: a browser cannot see them. */
export interface CheckReport {
  /** Whether the set has no errors, so that it could be served. */
  ok: boolean;
  /** What `vitrine check` prints. */
  text: string;
  /** What `vitrine check --json` prints. The version is null if some rows come from the service, since it serves only a part of each. */
  json: ReturnType<typeof jsonReport>;
  /** The catalogs of which rows are those of the service. */
  fromService: CatalogName[];
  /** What visitors would see change, as `vitrine check --against` says; undefined if there are errors, or no service. */
  against?: (ListedChanges & { version: string }) | undefined;
}

/** Parameters of a query as the page has them. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** What the page wants of the worker. */
export type CheckerTask =
  | { task: 'check'; files: DroppedFile[]; options: CheckOptions }
  | { task: 'ask'; path: string; query: Query };

/** The messages about a task have its number. */
export type CheckerRequest = CheckerTask & { id: number };

/** Any number of messages about progress come before the last one, which has either a result or an error. */
export type CheckerMessage =
  | { id: number; progress: Progress }
  | { id: number; result: unknown }
  | { id: number; error: string };
