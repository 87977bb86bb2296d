import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Random } from '../../../scripts/bench/catalog/random.ts';
import { requestText } from '../http/random-requests.ts';
import { cases } from '../http/wire-cases.ts';
import { type Case, namedCases } from './cases.ts';
import { exchange, probe } from './exchange.ts';
import type { Target } from './fuzz.ts';
import { longRequests } from './long-cases.ts';
import { mutate, pick, words } from './mutate.ts';

const tokens = words(String.raw`
  GET\u0020 HEAD\u0020 POST\u0020 OPTIONS\u0020 \u0020HTTP/1.1\r\n \u0020HTTP/1.0\r\n
  /api/news /api/news/1 /api/recommend-config /price /images/ /overview /health /metrics /documentation/
  /documentation/json /documentation/static/index.html /feed.json /rss.xml /atom.xml /page/main.js
  ? & keyword= page= limit=100 type_id= product_id=1 include_durations=true a+
  %20 %E9%A6%99 %EF%B7%BA %CC%81 %00 %ff % ../ // * # ; : \r\n \n \r \u0000 \t \u0020 \u0080 \u00ff
  Host:a\r\n Connection:close\r\n If-None-Match:*\r\n If-None-Match:\"a\",W/\"b\"\r\n Range:bytes=0- Upgrade:h2c\r\n
  Transfer-Encoding:chunked\r\n Content-Length:5\r\n Expect:100-continue\r\n Origin:http://a\r\n
  X-Forwarded-For:1.2.3.4\r\n 0\r\n\r\n 5\r\nabcde\r\n GET\u0020/api/news?limit=2\u0020HTTP/1.1\r\nHost:a\r\n\r\n
`);

/** One request each, or a few in one go. */
export const seeds = [
  ...cases.map(([, bytes]) => bytes.toString('latin1')),
  ...fc.sample(requestText, { numRuns: 300, seed: 1 }),
  ...namedCases('requests').map(([, { request = '' }]) => request),
  ...longRequests.map(([, request]) => request),
].filter(text => text.length < 100_000);
/** The targets of those that ask for anything with GET. */
const targets = seeds.flatMap(text => /^GET (\/\S*) HTTP\/1\.1\r\n/.exec(text)?.[1] ?? []);
const material = { others: seeds, tokens, maxLength: 2 ** 20 };

/** How many cases are run between two requests on a new connection. */
const PROBE_EVERY = 50;
/** How many of the slowest requests are kept, one of each kind. */
const SLOWEST = 5;

/** A request, and the time on the processor that the main thread took for it. */
export interface Slow {
  ms: number;
  request: string;
}

/** Requests to a process. `slowest` are those that took the main thread the longest. */
export function openRequests(port: number, pid: number): Target & { slowest: Slow[] } {
  const slowest: Slow[] = [];
  let sent = 0;
  return {
    name: 'requests',
    slowest,
    draw: random => ({
      request: random() < 0.5 ? wellFormed(random) : mutate(pick(seeds, random), random, material),
    }),
    async run({ request = '' }: Case) {
      const before = mainThreadMs(pid);
      const outcomes = await exchange(port, request);
      const ms = (mainThreadMs(pid) - before) / Math.max(1, outcomes.length);
      keepSlowest(slowest, { ms, request });
      sent += 1;
      if (sent % PROBE_EVERY === 0) await probe(port);
      return outcomes;
    },
  };
}

/** A GET of a mutated target, which gets past the parser. */
function wellFormed(random: Random): string {
  const target = mutate(pick(targets, random), random, { ...material, others: targets, maxLength: 16_000 });
  const escaped = target.replace(
    /[^!-~]/g,
    character => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `GET /${escaped.replace(/^\//, '')} HTTP/1.1\r\nHost: a\r\n\r\n`;
}

/** The time that the main thread of a process has been on a processor, in ms; what others take does not count. */
function mainThreadMs(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ');
  return Number(nanoseconds) / 1e6;
}

function keepSlowest(slowest: Slow[], request: Slow): void {
  const alike = slowest.find(one => kindOf(one) === kindOf(request));
  if (alike) Object.assign(alike, alike.ms < request.ms ? request : {});
  else slowest.push(request);
  slowest.sort((one, other) => other.ms - one.ms);
  slowest.length = Math.min(slowest.length, SLOWEST);
}

/** The method, the path and the first parameter of a request. */
function kindOf({ request }: Slow): string {
  return /^\s*\S+ ?[^\s=]*/.exec(request)?.[0].slice(0, 60) ?? '';
}
