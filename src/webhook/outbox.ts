import { join } from 'node:path';
import type { WebhookPayload } from '../contract/webhook.ts';
import { type Fs, syncDirectory, systemFs, unlessMissing, writeWhole } from '../files/atomic-write.ts';
import { type FileFormat, formatState, NewerFormatError, parseState } from '../files/state-format.ts';
import { type Log, reasonOf } from '../messages.ts';

/** A webhook that is not delivered yet. */
export interface Waiting {
  id: string;
  /** When its change was noticed, in Unix seconds. */
  since: number;
  payload: WebhookPayload;
}

/** What is remembered over a restart. */
interface Outbox {
  /** The version of the last webhook; undefined before the first. */
  announced: string | undefined;
  /** Scheduled changes up to this moment have a webhook, in Unix seconds. */
  announcedUntil: number;
  /** Oldest first. */
  waiting: Waiting[];
}

const format: FileFormat<Outbox> = {
  toJson: ({ announced, announcedUntil, waiting }) => ({
    announced: announced ?? null,
    announced_until: announcedUntil,
    waiting,
  }),
  parse({ announced, announced_until: announcedUntil, waiting }) {
    const isVersion = typeof announced === 'string' || announced === null;
    // Its checksum says that nobody else wrote it.
    if (!isVersion || typeof announcedUntil !== 'number' || !Array.isArray(waiting))
      throw new Error('it has no announced, announced_until or waiting');
    return { announced: announced ?? undefined, announcedUntil, waiting };
  },
  indent: 0,
};

/** The file of the outbox. */
interface OutboxFile {
  /**
   * What the last process remembered; nothing if there is no file. A broken file is replaced, with an error in the log.
   * @throws NewerFormatError if a newer version of Vitrine wrote it.
   */
  load(): Promise<Outbox>;
  /** Once it resolves, the outbox survives a power loss. @throws Error if it cannot be saved. */
  save(outbox: Outbox): Promise<void>;
}

export function openOutboxFile(stateDir: string, log: Log, fs: Fs = systemFs): OutboxFile {
  const path = join(stateDir, 'webhooks.json');
  let generation = 0;
  return {
    async load() {
      const nothing: Outbox = { announced: undefined, announcedUntil: 0, waiting: [] };
      try {
        const text = await fs.readFile(path, 'utf8').catch(unlessMissing);
        if (text === undefined) return nothing;
        const parsed = parseState(text, path, format);
        generation = parsed.generation;
        return parsed.state;
      } catch (error) {
        if (error instanceof NewerFormatError) throw error;
        log.error(`${path} is broken (${reasonOf(error)}): the next webhook purges everything`);
        return nothing;
      }
    },
    async save(outbox) {
      generation += 1;
      await writeWhole(fs, path, formatState(generation, outbox, format));
      await syncDirectory(fs, stateDir);
    },
  };
}
