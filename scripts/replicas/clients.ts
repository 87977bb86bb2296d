import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { pick } from './numbers.ts';
import type { Instance } from './replica.ts';

/** For how long a client rests after an answer, in milliseconds, at most. */
const REST_MS = 20;
/** What takes longer is no answer. */
const ANSWER_MS = 30_000;

/** Where requests are sent: to a replica, or to the proxy in front of all of them. */
export interface Target {
  address: string;
  /** The process that is there now. */
  instance(): Instance;
  /** Hears of each answer, and which replica has served it where a proxy tells. */
  onAnswer(servedBy: string | undefined): void;
}

interface OpenTarget extends Target {
  pool: Pool;
  isPaused: boolean;
  /** How many requests are not answered yet. */
  pending: number;
}

export type Clients = ReturnType<typeof startClients>;

/** Lets so many clients read these news, at the targets in turn, from `resume` on until they are stopped. */
export function startClients(targets: Target[], ids: number[], count: number) {
  const open = targets.map<OpenTarget>(target => ({
    ...target,
    pool: new Pool(target.address, { connections: count, headersTimeout: ANSWER_MS }),
    isPaused: true,
    pending: 0,
  }));
  const answered = new Map<number, number>();
  const faults: string[] = [];
  /** Those that have ended, so that there is no use in asking before the next one is there. */
  const ended = new WeakSet<Instance>();
  let unanswered = 0;
  let refused = 0;
  let turn = 0;
  let isOver = false;

  const nextTarget = () => {
    turn += 1;
    const inTurn = open.map((_, index) => open[(turn + index) % open.length]);
    return inTurn.find(target => target && !target.isPaused && !ended.has(target.instance()));
  };
  const ask = async ({ pool, instance, onAnswer }: OpenTarget) => {
    const id = pick(ids);
    const asked = instance();
    const lose = (what: string) => {
      if (asked.isKilled) unanswered += 1;
      else faults.push(what);
    };
    try {
      const { statusCode, headers, body } = await pool.request({ method: 'GET', path: `/api/news/${id}` });
      const text = await body.text();
      if (statusCode === 502) return lose(text);
      if (statusCode === 503) {
        refused += 1;
      } else if (statusCode !== 200) {
        faults.push(`${statusCode} ${text}`);
      } else {
        answered.set(id, (answered.get(id) ?? 0) + 1);
        onAnswer(/[^ ,]+$/.exec(String(headers['served-by']))?.[0]);
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'))
        return lose(String(error));
      refused += 1;
      ended.add(asked);
    }
  };
  const client = async () => {
    while (!isOver) {
      const target = nextTarget();
      if (target) {
        target.pending += 1;
        await ask(target);
        target.pending -= 1;
      }
      await delay(Math.random() * REST_MS);
    }
  };
  const clients = Array.from({ length: count }, client);

  return {
    /** How many reads of each news item were answered with 200. */
    answered: (): ReadonlyMap<number, number> => new Map(answered),
    /** How many requests broke off where a process was killed: they may have been counted or not. */
    unanswered: () => unanswered,
    /** How many connections were refused, or requests by one that stops: nothing was counted. */
    refused: () => refused,
    /** All that must not happen. */
    faults: (): readonly string[] => faults,
    /** Sends nothing more to this address, or to any, and resolves when all is answered. */
    async pause(address?: string): Promise<void> {
      const paused = open.filter(target => address === undefined || target.address === address);
      for (const target of paused) target.isPaused = true;
      while (paused.some(target => target.pending > 0)) await delay(1);
    },
    resume(): void {
      for (const target of open) target.isPaused = false;
    },
    async stop(): Promise<void> {
      isOver = true;
      await Promise.all(clients);
      await Promise.all(open.map(({ pool }) => pool.destroy()));
    },
  };
}
