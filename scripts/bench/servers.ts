import type { Answers } from './answers.ts';
import type { Case } from './cases.ts';
import { nginxPath, startFileServer } from './nginx.ts';
import { programPath, type RunningServer, startNode, startVitrine } from './node-server.ts';
import { arePeersInstalled } from './peers.ts';

/** A server that is measured. */
export interface Server {
  name: string;
  start(catalogDir: string, answers: Answers): Promise<RunningServer>;
  pathOf(item: Case, index: number): string;
  /** Whether it only serves recorded answers of Vitrine. */
  isPrepared: boolean;
  isInstalled(): boolean;
  /** Whether it can answer a case over so many news items and prices, and does so in reasonable time. */
  canAnswer(item: Case, size: number): boolean;
}

/** Above so many news items, json-server takes a large part of a second for an answer. */
const JSON_SERVER_SIZE = 10_000;

const usual = {
  pathOf: (item: Case, index: number) => item.path(index),
  isPrepared: false,
  isInstalled: () => true,
  canAnswer: () => true,
} as const;

export const servers: Server[] = [
  { name: 'vitrine', ...usual, start: dir => startVitrine(dir) },
  {
    name: 'vitrine, plain',
    ...usual,
    canAnswer: ({ acceptEncoding }) => acceptEncoding !== undefined,
    start: dir => startVitrine(dir, { env: { COMPRESSION: 'off' } }),
  },
  {
    name: 'node:http',
    ...usual,
    isPrepared: true,
    start: (_dir, { file }) => startNode([programPath('servers/node-http.mjs')], { env: { ANSWERS: file } }),
  },
  {
    name: 'bare',
    ...usual,
    isPrepared: true,
    canAnswer: ({ isConditional }) => !isConditional,
    start: (_dir, { file }) =>
      startNode([programPath('servers/node-http.mjs')], { env: { ANSWERS: file, BARE: '1' } }),
  },
  {
    name: 'fastify',
    ...usual,
    canAnswer: ({ isConditional }) => !isConditional,
    start: dir => startOver(dir, 'servers/fastify.mjs'),
  },
  {
    name: 'express',
    ...usual,
    isInstalled: arePeersInstalled,
    start: dir => startOver(dir, 'peers/express.mjs'),
  },
  {
    name: 'json-server',
    ...usual,
    pathOf: (item, index) => item.jsonServerPath(index),
    isInstalled: arePeersInstalled,
    canAnswer: (_item, size) => size <= JSON_SERVER_SIZE,
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
