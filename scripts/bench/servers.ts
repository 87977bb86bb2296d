import { spawnSync } from 'node:child_process';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startNginx } from '../../test/support/nginx.ts';
import { findProgram } from '../../test/support/replicas/find-program.ts';
import { removeDirectory, startProgram, temporaryDirectory } from '../../test/support/replicas/programs.ts';
import type { Answer } from './answers.ts';
import type { Case } from './cases.ts';

/** A server on a port of the loopback. */
export interface RunningServer {
  port: number;
  /** The process that answers; its children count as well. */
  pid: number;
  stop(): Promise<void>;
}

/** A server that is measured. */
export interface Server {
  name: string;
  /** Starts it over the catalogs of a directory, or over recorded answers: a file with an `Answer` a line. */
  start(catalogDir: string, answersFile: string): Promise<RunningServer>;
  /** Whether it only serves recorded answers of Vitrine. */
  isPrepared?: boolean;
  /** Whether it answers in a form of its own, so that its rows are compared with those of Vitrine. */
  isPeer?: boolean;
  isInstalled(): boolean;
  canAnswer(item: Case): boolean;
}

export const servers: Server[] = [
  {
    name: 'vitrine',
    isInstalled: () => true,
    canAnswer: () => true,
    start: dir => startVitrine(dir),
  },
  {
    name: 'node:http',
    isPrepared: true,
    isInstalled: () => true,
    canAnswer: () => true,
    start: (_dir, file) => startNode([benchPath('servers/node-http.mjs')], { ANSWERS: file }),
  },
  {
    name: 'fastify',
    isInstalled: () => true,
    canAnswer: ({ isConditional }) => !isConditional,
    start: dir => startNode([benchPath('servers/fastify.mjs')], { CATALOG_DIR: dir }),
  },
  {
    name: 'json-server',
    isPeer: true,
    isInstalled: isPeerInstalled,
    // The client reads no chunks, in which json-server sends what it compresses.
    canAnswer: ({ peerPath, acceptEncoding }) => peerPath !== undefined && acceptEncoding === undefined,
    start: dir => startNode([benchPath('peers/json-server.mjs')], { CATALOG_DIR: dir }),
  },
  {
    name: 'nginx',
    isPrepared: true,
    isInstalled: () => findProgram('nginx') !== undefined,
    canAnswer: ({ isSearch }) => !isSearch,
    start: (_dir, file) => startFileServer(file),
  },
];

/** The path of a file of the bench, given from this folder. */
export function benchPath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

const { scripts } = JSON.parse(readFileSync(benchPath('../../package.json'), 'utf8'));
/** Every server on Node gets the flags of `npm start`. */
const [, nodeFlags = ''] = /^exec node (.*)dist\/main\.js$/.exec(scripts.start) ?? [];

/** Starts a program on Node that logs its address and its process id in Vitrine's format. */
export async function startNode(
  args: string[],
  env: NodeJS.ProcessEnv = {},
  onLine: (line: string) => void = () => {},
): Promise<RunningServer> {
  let [pid, port] = [0, 0];
  const program = await startProgram(process.execPath, [...nodeFlags.split(' ').filter(Boolean), ...args], {
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
  const server = await startNode([benchPath('../../dist/main.js')], env, onLine);
  return { ...server, stop: () => server.stop().finally(() => removeDirectory(stateDir)) };
}

/** Starts an nginx with one worker that serves recorded answers as files, one for each path. */
async function startFileServer(answersFile: string): Promise<RunningServer> {
  const dir = temporaryDirectory();
  for await (const line of createInterface(createReadStream(answersFile))) {
    const { path, body }: Answer = JSON.parse(line);
    const [pathname = '', query = ''] = path.split('?');
    const file = join(dir, pathname, `${query}.json`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, body);
  }
  const [, limit = 1024] =
    /^Max open files +\S+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
  const openFiles = Math.min(100_000, Number(limit));
  const nginx = await startNginx({
    main: `worker_processes 1; worker_rlimit_nofile ${openFiles};`,
    http: `
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=${Math.floor(openFiles / 2)} inactive=10m;
  open_file_cache_valid 10m;`,
    server: `
    root ${dir};
    location / {
      default_type "application/json; charset=utf-8";
      types {}
      try_files $uri/$args.json =404;
    }`,
  });
  return { ...nginx, stop: () => nginx.stop().finally(() => removeDirectory(dir)) };
}

/** Whether json-server is installed, in the version of its lock file. */
export function isPeerInstalled(): boolean {
  const timeOf = (file: string) =>
    statSync(benchPath(`peers/${file}`), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return timeOf('node_modules/.package-lock.json') >= timeOf('package-lock.json');
}

/** Installs json-server if it is missing. */
export function installPeer(): void {
  if (isPeerInstalled()) return;
  const { status } = spawnSync('npm', ['ci'], { cwd: benchPath('peers'), stdio: ['ignore', 2, 2] });
  if (status !== 0) console.error('json-server cannot be installed: the bench leaves it out');
}
