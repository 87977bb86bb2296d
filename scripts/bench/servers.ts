import type { Answers } from './answers.ts';
import type { Case } from './cases.ts';
import { nginxPath, startFileServer } from './nginx.ts';
import { programPath, type RunningServer, startNode, startVitrine } from './node-server.ts';
import { isPeerInstalled } from './peers.ts';

/** A server that is measured. */
export interface Server {
  name: string;
  start(catalogDir: string, answers: Answers): Promise<RunningServer>;
  pathOf(item: Case, index: number): string;
  /** Whether it only serves recorded answers of Vitrine. */
  isPrepared: boolean;
  /** Whether it answers in a form of its own, so that its rows are compared with those of Vitrine. */
  isPeer: boolean;
  isInstalled(): boolean;
  /** Whether it can answer a case over so many news items and prices, and does so in reasonable time. */
  canAnswer(item: Case, size: number): boolean;
}

/** Above so many news items, json-server takes a large part of a second for an answer. */
const PEER_SIZE = 10_000;

const usual = {
  pathOf: (item: Case, index: number) => item.path(index),
  isPrepared: false,
  isPeer: false,
  isInstalled: () => true,
  canAnswer: () => true,
} as const;

export const servers: Server[] = [
  { name: 'vitrine', ...usual, start: dir => startVitrine(dir) },
  {
    name: 'node:http',
    ...usual,
    isPrepared: true,
    start: (_dir, { file }) => startNode([programPath('servers/node-http.mjs')], { env: { ANSWERS: file } }),
  },
  {
    name: 'fastify',
    ...usual,
    canAnswer: ({ isConditional }) => !isConditional,
    start: dir => startOver(dir, 'servers/fastify.mjs'),
  },
  {
    name: 'json-server',
    isPrepared: false,
    isPeer: true,
    isInstalled: isPeerInstalled,
    pathOf: ({ peerPath, path }, index) => peerPath?.(index) ?? path(index),
    // The client reads no chunks, in which json-server sends what it compresses.
    canAnswer: ({ peerPath, acceptEncoding }, size) =>
      size <= PEER_SIZE && peerPath !== undefined && acceptEncoding === undefined,
    start: dir => startOver(dir, 'peers/json-server.mjs'),
  },
  {
    name: 'nginx',
    ...usual,
    isPrepared: true,
    isInstalled: () => nginxPath !== undefined,
    canAnswer: ({ name }) => !name.startsWith('keyword'),
    start: (_dir, { file }) => startFileServer(file),
  },
];

function startOver(catalogDir: string, program: string): Promise<RunningServer> {
  return startNode([programPath(program)], { env: { CATALOG_DIR: catalogDir } });
}
