import { removeDirectory, temporaryDirectory } from '../../test/support/replicas/programs.ts';
import type { Answers } from './answers.ts';
import type { Case, Peer } from './cases.ts';
import { nginxPath, startFileServer } from './nginx.ts';
import { programPath, type RunningServer, startNode, startVitrine } from './node-server.ts';
import { arePeersInstalled, isCmsInstalled } from './peers.ts';

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

/** Above so many news items, json-server takes a large part of a second for an answer, and the others long to fill. */
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
    ...peer('json-server'),
    isInstalled: arePeersInstalled,
    start: dir => startOver(dir, 'peers/json-server.mjs'),
  },
  cms('strapi'),
  cms('payload'),
  {
    name: 'nginx',
    ...usual,
    isPrepared: true,
    isInstalled: () => nginxPath !== undefined,
    canAnswer: ({ name }) => !name.startsWith('keyword'),
    start: (_dir, { file }) => startFileServer(file),
  },
];

/** A server with addresses of its own. */
function peer(name: Peer) {
  return {
    ...usual,
    name,
    isPeer: true,
    pathOf: ({ peerPath, path }: Case, index: number) => peerPath[name]?.(index) ?? path(index),
    // The client reads no chunks, in which json-server sends what it compresses.
    canAnswer: ({ peerPath, acceptEncoding }: Case, size: number) =>
      size <= PEER_SIZE && peerPath[name] !== undefined && acceptEncoding === undefined,
  };
}

/** A content management system, which sends no ETags. */
function cms(name: Peer): Server {
  const { canAnswer, ...rest } = peer(name);
  return {
    ...rest,
    isInstalled: isCmsInstalled,
    canAnswer: (item, size) => !item.isConditional && canAnswer(item, size),
    async start(dir) {
      const databaseDir = temporaryDirectory();
      const server = await startOver(dir, `cms/${name}.mjs`, { DATABASE_DIR: databaseDir });
      return { ...server, stop: () => server.stop().finally(() => removeDirectory(databaseDir)) };
    },
  };
}

function startOver(catalogDir: string, program: string, env: NodeJS.ProcessEnv = {}): Promise<RunningServer> {
  return startNode([programPath(program)], { env: { CATALOG_DIR: catalogDir, ...env } });
}
