import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startNginx } from '../../test/support/nginx.ts';
import {
  findProgram,
  removeDirectory,
  startProgram,
  temporaryDirectory,
} from '../../test/support/programs.ts';
import type { Case } from './cases.ts';

/** A server on a port of the loopback. */
export interface RunningServer {
  port: number;
  /** The process that answers; its children count as well. */
  pid: number;
  stop(): Promise<void>;
}

/** A recorded answer of Vitrine, for the servers that serve nothing else. */
export interface Answer {
  path: string;
  /** Without those that Node adds. */
  headers: Record<string, string>;
  body: string;
}

/** A server that is measured. */
export interface Server {
  name: string;
  /** Starts it over a directory with the files of `catalog`, their rows as `rows.json`, and `answers.json`. */
  start(dir: string): Promise<RunningServer>;
  /** Whether it only serves recorded answers of Vitrine. */
  isPrepared?: boolean;
  /** Whether it answers in a form of its own, so that its rows are compared with those of Vitrine. */
  isPeer?: boolean;
  canAnswer(item: Case): boolean;
}

/** Those that are installed. json-server is installed if it is missing, unless the run is a quick one. */
export function installedServers(isQuick: boolean): Server[] {
  const servers: Server[] = [
    { name: 'vitrine', canAnswer: () => true, start: dir => startVitrine(join(dir, 'catalog')) },
    {
      name: 'node:http',
      isPrepared: true,
      canAnswer: () => true,
      start: dir => startNode(['servers/node-http.mjs'], { DIR: dir }),
    },
    {
      name: 'fastify',
      canAnswer: ({ isConditional }) => !isConditional,
      start: dir => startNode(['servers/fastify.mjs'], { DIR: dir }),
    },
  ];
  const hasPeer = () => existsSync(benchPath('peers/node_modules/json-server'));
  if (!isQuick && !hasPeer()) spawnSync('npm', ['ci'], { cwd: benchPath('peers'), stdio: ['ignore', 2, 2] });
  if (hasPeer())
    servers.push({
      name: 'json-server',
      isPeer: true,
      // The client reads no chunks, in which json-server sends what it compresses.
      canAnswer: ({ peerPath, acceptEncoding }) => peerPath !== undefined && acceptEncoding === undefined,
      start: dir => startNode(['peers/json-server.mjs'], { DIR: dir }),
    });
  if (findProgram('nginx'))
    servers.push({
      name: 'nginx',
      isPrepared: true,
      canAnswer: ({ isSearch }) => !isSearch,
      start: startFileServer,
    });
  return servers;
}

/** The path of a file of the bench, given from this folder. */
export function benchPath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

const { scripts } = JSON.parse(readFileSync(benchPath('../../package.json'), 'utf8'));
/** Every server on Node gets the flags of `npm start`. */
const [, nodeFlags = ''] = /^exec node (.*)dist\/main\.js$/.exec(scripts.start) ?? [];

/** Starts a program of this folder on Node that logs its address and its process id in Vitrine's format. */
export async function startNode(
  [file = '', ...args]: string[],
  env: NodeJS.ProcessEnv = {},
  onLine: (line: string) => void = () => {},
): Promise<RunningServer> {
  let [pid, port] = [0, 0];
  const flags = nodeFlags.split(' ').filter(Boolean);
  const program = await startProgram(process.execPath, [...flags, benchPath(file), ...args], {
    ready: /listening on http/,
    onLine(line) {
      const [, address] = /listening on (http:[^"]+)/.exec(line) ?? [];
      if (address) [pid, port] = [JSON.parse(line).pid, Number(new URL(address).port)];
      onLine(line);
    },
    // Without the environment of the shell, which may configure one of the servers.
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
  });
  return { port, pid, stop: () => program.end('SIGKILL') };
}

/** Starts the build of Vitrine as `npm start` does, with a state directory of its own. */
export async function startVitrine(
  catalogDir: string,
  more: NodeJS.ProcessEnv = {},
  onLine?: (line: string) => void,
): Promise<RunningServer> {
  const stateDir = temporaryDirectory();
  const env = { CATALOG_DIR: catalogDir, STATE_DIR: stateDir, PORT: '0', MAX_FILE_MB: '512', ...more };
  const server = await startNode(['../../dist/main.js'], env, onLine);
  return { ...server, stop: () => server.stop().finally(() => removeDirectory(stateDir)) };
}

/** Starts an nginx with one worker that serves recorded answers as files, one for each path. */
async function startFileServer(dir: string): Promise<RunningServer> {
  const root = join(dir, 'nginx');
  const answers: Answer[] = JSON.parse(readFileSync(join(dir, 'answers.json'), 'utf8'));
  for (const { path, body } of answers) {
    const [pathname = '', query = ''] = path.split('?');
    const file = join(root, pathname, `${query}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, body);
  }
  return startNginx({
    main: `worker_processes 1; worker_rlimit_nofile 30000;`,
    http: `
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=15000 inactive=10m;
  open_file_cache_valid 10m;`,
    server: `
    root ${root};
    location / {
      default_type "application/json; charset=utf-8";
      types {}
      try_files $uri/$args.json =404;
    }`,
  });
}
