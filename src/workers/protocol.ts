import type { MessagePort } from 'node:worker_threads';
import type { ErrorCode } from '../errors.ts';
import type { SharedCounts } from '../reads/counter.ts';
import type { Settings } from '../settings/settings.ts';

/** What a thread starts with. */
export interface ThreadData {
  settings: Settings;
  counts: SharedCounts;
  /** The file descriptor of the listening socket, which the main thread keeps open. */
  fd: number;
  /** The number of open connections of each thread, as 32-bit integers; this one is at `index`. */
  connections: SharedArrayBuffer;
  index: number;
}

/** Responses of a thread: route, status and seconds, one after the other. */
export type Observations = (string | number)[];

/** What a thread sends to the main thread. `id` is one of its connections. */
export type ThreadMessage =
  | { type: 'opened'; id: number; remoteAddress: string | undefined }
  | { type: 'received'; id: number; bytes: Uint8Array }
  /** The client has taken the last bytes of `send`. */
  | { type: 'sent'; id: number }
  | { type: 'closed'; id: number }
  | { type: 'observed'; responses: Observations }
  | { type: 'broken'; error: ErrorCode }
  /** It accepts no more connections. */
  | { type: 'listenerClosed' };

/** What the main thread sends to a thread. */
export type OwnerMessage =
  /** The connection is within the limits. */
  | { type: 'admitted'; id: number }
  | { type: 'send'; id: number; bytes: Uint8Array }
  /** The request has its whole response. */
  | { type: 'answered'; id: number }
  | { type: 'end'; id: number }
  | { type: 'destroy'; id: number }
  /**
   * A set to serve. Each message to the port asks for the next chunk; a null is the end. `ids` are the next news items that
   * have a shared count.
   */
  | { type: 'set'; version: string; timeZone: string; ids: number[]; port: MessagePort }
  /** Every request goes to the main thread from now on. */
  | { type: 'stop' }
  | { type: 'closeListener' };
