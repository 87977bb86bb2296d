import { once } from 'node:events';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { WebhookPayload } from '../../../src/contract/webhook.ts';
import type { Files } from '../catalogs.ts';
import { commandLine, flagsOf } from '../process.ts';
import { freePort } from '../replicas/free-port.ts';
import { removeDirectory, startProgram, temporaryDirectory } from '../replicas/programs.ts';
import { changingShop, type Question } from './changing-shop.ts';
import { startReceiver, startVarnish } from './varnish.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** An answer may be as old as before a change for this long after its webhook, in ms. */
const GRACE_MS = 1_000;
/** From the start of the programs to the first scheduled change, in seconds. */
const LEAD_SECONDS = 8;

export interface CdnPlan {
  /** News items that appear or vanish, and at how many moments. */
  changes: number;
  moments: number;
  /** Seconds between two moments. */
  gap: number;
  reloads: number;
  clients: number;
}

export interface CdnResult {
  requests: number;
  /** Requests for what had been answered before: the same URL with the same answer. */
  repeated: number;
  /** How many of these Varnish answered itself. */
  hits: number;
  webhooks: { scheduled: number; reload: number };
  /** Answers that were older than they may be, and those that were no state at all. */
  stale: string[];
  /** How long after its moment the last webhook of a scheduled change was taken, in ms. */
  latestMs: number;
  /** The oldest answer that a client began to ask for after a webhook that it does not know of, in ms after the webhook. */
  worstMs: number;
}

/** Asks through Varnish while the answers change, and judges each answer. */
export async function verifyCdn({ changes, moments, gap, reloads, clients }: CdnPlan): Promise<CdnResult> {
  const begin = Math.ceil(Date.now() / 1000) + LEAD_SECONDS;
  const shop = changingShop(changes, moments, begin, gap);
  const dir = temporaryDirectory();
  const catalogDir = join(dir, 'catalog');
  mkdirSync(catalogDir);
  write(catalogDir, shop.files(0));
  const servicePort = await freePort();
  const varnish = await startVarnish(servicePort);
  const receiver = await startReceiver(varnish.address, SECRET);
  /** When the webhook of each moment and each release was taken, in ms. */
  const momentsTold = new Map<number, number>();
  const releasesTold = new Map<number, number>();
  const told = { scheduled: 0, reload: 0 };
  let release = 0;
  const result: CdnResult = {
    ...{ requests: 0, repeated: 0, hits: 0, webhooks: told },
    ...{ stale: [], latestMs: 0, worstMs: 0 },
  };
  const onTold = ({ type, timestamp }: WebhookPayload) => {
    const time = Date.now();
    if (type === 'catalog.scheduled') told.scheduled += 1;
    else told.reload += 1;
    const seconds = Date.parse(timestamp) / 1000;
    for (let moment = 0; moment < moments && shop.timeOf(moment) <= seconds; moment += 1)
      if (!momentsTold.has(moment)) {
        momentsTold.set(moment, time);
        if (type === 'catalog.scheduled')
          result.latestMs = Math.max(result.latestMs, time - shop.timeOf(moment) * 1000);
      }
    if (type === 'catalog.live') releasesTold.set(release, time);
  };
  const recorder = await startRecorder(receiver.url, onTold);
  const settings = {
    ...{ port: servicePort, catalogDir, imagesDir: catalogDir, stateDir: join(dir, 'state') },
    ...{ cacheMaxAge: 60, webhookUrl: recorder.url, webhookSecret: SECRET },
    ...{ holdBack: 'off' as const, historyMb: 16 },
  };
  const service = await startProgram(process.execPath, [...commandLine, ...flagsOf(settings)], {
    ready: /listening on/,
    lastSignal: 'SIGTERM',
  });
  while (!releasesTold.has(0)) await delay(20);

  const lastTold = (times: ReadonlyMap<number, number>, by: number) =>
    Math.max(-1, ...[...times].filter(([, time]) => time <= by).map(([index]) => index));
  const lastMoment = () => Math.max(-1, Math.min(moments - 1, Math.floor((Date.now() / 1000 - begin) / gap)));
  /** Whether an answer that was asked for at `start` may have this signature, if what was told by `by` is known. */
  const isRight = ({ expected }: Question, signature: string, by: number) => {
    const [firstRelease, firstMoment] = [lastTold(releasesTold, by), lastTold(momentsTold, by)];
    for (let one = Math.max(0, firstRelease); one <= release; one += 1)
      for (let moment = firstMoment; moment <= lastMoment(); moment += 1)
        if (expected({ release: one, moment }) === signature) return true;
    return false;
  };
  const seen = new Map<string, Set<string>>();
  const pool = new Pool(varnish.address, { connections: clients });
  const ask = async (question: Question) => {
    const { url } = question;
    const start = Date.now();
    const { statusCode, headers, body } = await pool.request({ method: 'GET', path: url });
    const answer = await body.text();
    result.requests += 1;
    const answers = seen.get(url) ?? new Set();
    seen.set(url, answers);
    if (answers.has(answer)) {
      result.repeated += 1;
      // The id of the request, and that of the one that fetched the answer.
      if (String(headers['x-varnish']).includes(' ')) result.hits += 1;
    }
    answers.add(answer);
    if (statusCode !== 200) return void result.stale.push(`${url}: ${statusCode}`);
    const signature = question.signatureOf(JSON.parse(answer).data);
    if (isRight(question, signature, start)) return;
    let by = start;
    while (start - by < 120_000 && !isRight(question, signature, by)) by -= 10;
    result.worstMs = Math.max(result.worstMs, start - by);
    if (start - by > GRACE_MS) result.stale.push(`${url}: ${start - by} ms after the webhook: ${signature}`);
  };

  const end = new AbortController();
  const client = async () => {
    while (!end.signal.aborted) {
      const question = shop.questions[Math.floor(Math.random() * shop.questions.length)];
      if (question) await ask(question);
      await delay(4);
    }
  };
  const reload = async () => {
    const duration = (begin + moments * gap) * 1000 - Date.now();
    for (let next = 1; next <= reloads; next += 1) {
      const due = delay(duration / reloads);
      release = next;
      write(catalogDir, shop.files(next));
      while (!releasesTold.has(next)) await delay(5);
      await due;
    }
  };
  const running = Array.from({ length: clients }, client);
  await reload();
  while (momentsTold.size < moments) await delay(20);
  await delay(2 * GRACE_MS);
  end.abort();
  await Promise.all(running);
  await pool.destroy();
  await service.end('SIGTERM');
  await receiver.stop();
  recorder.stop();
  await varnish.stop();
  removeDirectory(dir);
  return result;
}

/** Writes the files that differ, each at once. */
const written = new Map<string, string>();
function write(dir: string, files: Files): void {
  for (const [name, rows] of Object.entries(files)) {
    const path = join(dir, name);
    const content = JSON.stringify(rows);
    if (written.get(path) === content) continue;
    written.set(path, content);
    writeFileSync(`${path}.new`, content);
    renameSync(`${path}.new`, path);
  }
}

/** Passes webhooks on to the receiver, and reports those that it takes. */
async function startRecorder(receiver: string, onTold: (payload: WebhookPayload) => void) {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const headers = Object.entries(request.headers).filter(([name]) => /^(webhook-|content-type)/.test(name));
    const { status } = await fetch(receiver, {
      ...{ method: 'POST', body },
      headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
    });
    if (status === 204) onTold(JSON.parse(body));
    response.writeHead(status).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, stop: () => server.close() };
}
