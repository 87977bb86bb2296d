import type { Answers } from './answers.ts';
import type { Case } from './cases.ts';
import { nginxPath, startNginx } from './nginx.ts';
import { programPath, type RunningServer, startNode, startVitrine } from './node-server.ts';
import { arePeersInstalled } from './peers.ts';
import { jsonServerPath, pathOf, type Question } from './questions.ts';

/** A server that is measured. */
export interface Server {
  name: string;
  /** What it is, in some words. */
  description: string;
  start(catalogDir: string, answers: Answers): Promise<RunningServer>;
  pathOf(question: Question): string;
  /** Whether it only gives back what Vitrine was asked before. */
  isPrepared: boolean;
  /** Why it cannot be measured here at all, after its name; undefined where it can. */
  absence(): string | undefined;
  /** Why it is left out of this case, over so many news and as many prices; undefined where it is not. */
  omission(item: Case, size: number): string | undefined;
}

const JSON_SERVER_SIZE = 10_000;

const ordinary = {
  pathOf,
  isPrepared: false,
  absence: () => undefined,
  omission: () => undefined,
} as const;

const isPeerAbsent = () =>
  arePeersInstalled() ? undefined : 'is not installed; npm run bench without --quick installs it';

export const servers: Server[] = [
  {
    name: 'vitrine',
    description: 'as npm start runs it',
    ...ordinary,
    start: dir => startVitrine(dir),
  },
  {
    name: 'node:http',
    description: 'bare: the same bytes and headers, prepared, from a Map by address',
    ...ordinary,
    isPrepared: true,
    start: (_dir, { file }) => startNode([programPath('servers/node-http.mjs')], { env: { ANSWERS: file } }),
  },
  {
    name: 'fastify',
    description: 'rows in Maps, response schemas, keywords by scanning lower-cased texts',
    ...ordinary,
    omission: ({ isConditional }) => (isConditional ? 'makes no ETags, and is left out of 304' : undefined),
    start: dir => startOver(dir, 'servers/fastify.mjs'),
  },
  {
    name: 'express',
    description: 'SQLite in memory with indices and prepared statements, keywords by LIKE',
    ...ordinary,
    absence: isPeerAbsent,
    start: dir => startOver(dir, 'peers/express.mjs'),
  },
  {
    name: 'json-server',
    description: 'its own router over the same rows',
    ...ordinary,
    pathOf: jsonServerPath,
    absence: isPeerAbsent,
    omission: (_case, size) =>
      size > JSON_SERVER_SIZE
        ? 'is left out of more than 10,000 news, where it takes a large part of a second for an answer'
        : undefined,
    start: dir => startOver(dir, 'peers/json-server.mjs'),
  },
  {
    name: 'nginx',
    description: 'one worker, the same bodies as files, in its cache of open files',
    ...ordinary,
    isPrepared: true,
    absence: () => (nginxPath ? undefined : 'is not installed'),
    omission: ({ name }) =>
      name.startsWith('keyword') ? 'serves files, and is left out of keywords' : undefined,
    start: (_dir, { file }) => startNginx(file),
  },
];

function startOver(catalogDir: string, program: string): Promise<RunningServer> {
  return startNode([programPath(program)], { env: { CATALOG_DIR: catalogDir } });
}

/** Why servers are left out, a sentence each. */
export function omissions(chosen: Server[], cases: Case[], sizes: number[]): string[] {
  const reasons = chosen.flatMap(server => {
    const absence = server.absence();
    if (absence) return [`${server.name} ${absence}`];
    const omitted = sizes.flatMap(size => cases.map(item => server.omission(item, size)));
    return omitted.filter(reason => reason !== undefined).map(reason => `${server.name} ${reason}`);
  });
  return [...new Set(reasons)];
}
