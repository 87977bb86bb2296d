import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { pick } from './numbers.ts';
import type { Instance } from './replica.ts';

/** For how long a client rests after an answer, in milliseconds, at most. */
const REST_MS = 20;
/** What takes longer is no answer. */
const ANSWER_MS = 120_000;

/** Where requests are sent: to a replica, or to the proxy in front of all of them. */
export interface Target {
  address: string;
  /** The process that is there now. */
  instance(): Instance;
  /** Hears of each answer, and which replica has served it where a proxy tells. */
  onAnswer(servedBy: string | undefined): void;
}

interface OpenTarget extends Target {
  isPaused: boolean;
  /** How many requests are not answered yet. */
  pending: number;
}

/** Lets so many clients read these news, at the targets in turn, from `resume` on until they are stopped. */
export function startClients(targets: Target[], ids: number[], count: number) {
  const open = targets.map<OpenTarget>(target => ({ ...target, isPaused: true, pending: 0 }));
  const answered = new Map<number, number>();
  const faults: string[] = [];
  /** Those that have ended, so that there is no use in asking before the next one is there. */
  const ended = new WeakSet<Instance>();
  let unanswered = 0;
  let turnedAway = 0;
  let refused = 0;
  let isOver = false;

  const ask = async (agent: Agent, { address, instance, onAnswer }: Target) => {
    const id = pick(ids);
    const asked = instance();
    const fail = (what: string) => {
      if (asked.ending === 'kill') unanswered += 1;
      else if (asked.ending === 'stop') turnedAway += 1;
      else faults.push(what);
    };
    try {
      const path = `/api/news/${id}`;
      const { statusCode, headers, body } = await agent.request({ origin: address, path, method: 'GET' });
      const text = await body.text();
      if (isUnsent(statusCode, headers)) {
        refused += 1;
        return;
      }
      if (statusCode !== 200) return fail(`${statusCode} ${text}`);
      answered.set(id, (answered.get(id) ?? 0) + 1);
      onAnswer(/[^ ,]+$/.exec(String(headers['served-by']))?.[0]);
    } catch (error) {
      const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
      if (!isRefused) return fail(String(error));
      refused += 1;
      ended.add(asked);
    }
  };
  /** Has one connection to each target, and lets none of them rest, since that is closed when a process stops. */
  const client = async () => {
    const agent = new Agent({ connections: 1, headersTimeout: ANSWER_MS });
    for (let turn = 0; !isOver; turn += 1) {
      const inTurn = [...open.slice(turn % open.length), ...open];
      const target = inTurn.find(target => !target.isPaused && !ended.has(target.instance()));
      if (target) {
        target.pending += 1;
        await ask(agent, target);
        target.pending -= 1;
      }
      await delay(Math.random() * REST_MS);
    }
    await agent.destroy();
  };
  const clients = Array.from({ length: count }, client);

  return {
    /** How many reads of each news item were answered with 200. */
    answered: (): ReadonlyMap<number, number> => new Map(answered),
    /** How many requests broke off where a process was killed: they may have been counted or not. */
    unanswered: () => unanswered,
    /** How many requests met a process at the end of its stop, and were refused or reset, so that nothing was counted. */
    turnedAway: () => turnedAway,
    /** How many connections were refused, so that nothing was sent. */
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
    },
  };
}

/** Whether a proxy says that the request never left it, since all the replicas were away. */
function isUnsent(statusCode: number, headers: IncomingHttpHeaders): boolean {
  return statusCode === 502 && !/[1-9]/.test(String(headers['bytes-sent']));
}
