import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Lifetime } from '../../test/support/after-test.ts';
import { writeFiles } from '../../test/support/catalogs.ts';
import { startProgram } from '../../test/support/programs.ts';
import { startNginx } from '../../test/support/proxies.ts';
import type { Case } from './cases.ts';

/** A server on a port of the loopback. */
export interface RunningServer {
  port: number;
  /** The process that answers. */
  pid: number;
  stop(): Promise<unknown>;
  /** What it has written. */
  output: { stdout: string };
}

/** A recorded answer of Vitrine, for the servers that serve nothing else. */
export interface Answer {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What is started and made for the bench is ended and removed with it. */
const bench: Lifetime = { after: cleanUp => void process.once('beforeExit', cleanUp ?? (() => {})) };

export const temporaryDirectory = () => writeFiles(bench, {});

/** A server that is measured. */
export interface Server {
  name: string;
  /** The paths of the requests of a case; undefined if it cannot answer them. */
  pathOf(item: Case): ((index: number) => string) | undefined;
  /** Starts it over a directory with the files of `catalog`, their rows as `rows.json`, and `answers.json`. */
  start(dir: string): Promise<RunningServer>;
}

export const servers: readonly Server[] = [
  {
    name: 'vitrine',
    pathOf: ({ path }) => path,
    start: dir => startVitrine(join(dir, 'catalog')),
  },
  {
    name: 'node:http',
    pathOf: ({ path }) => path,
    start: dir => startNode(['servers/node-http.mjs', join(dir, 'answers.json')]),
  },
  {
    name: 'fastify',
    pathOf: ({ path, isConditional }) => (isConditional ? undefined : path),
    start: dir => startNode(['servers/fastify.ts', join(dir, 'rows.json')]),
  },
  {
    name: 'json-server',
    pathOf: ({ peerPath }) => peerPath,
    start: dir => startNode(['peers/json-server.mjs', join(dir, 'rows.json')]),
  },
  {
    name: 'nginx',
    pathOf: ({ path, isDynamic }) => (isDynamic ? undefined : path),
    start: startFileServer,
  },
];

/** The path of a file of the bench, given from this folder. */
export function benchPath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

const { scripts } = JSON.parse(readFileSync(benchPath('../../package.json'), 'utf8'));
/** Every server on Node gets the flags of `npm start`. */
const [, flag = ''] = /^exec node (\S+) dist\/main\.js$/.exec(scripts.start) ?? [];

/** Starts a program of this folder on Node that logs its address as Vitrine does. */
export async function startNode(
  [file = '', ...args]: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<RunningServer> {
  const flags = file.endsWith('.ts') ? [flag, '--import', 'tsx'] : [flag];
  const program = startProgram(bench, [process.execPath, ...flags, benchPath(file), ...args], {
    // Without the environment of the shell, which may configure one of the servers.
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
  });
  const port = Number(new URL(await program.listening()).port);
  return { ...program, port, stop: () => program.end('SIGKILL') };
}

/** Starts the build of Vitrine as `npm start` does, with a state directory of its own. */
export async function startVitrine(dir: string): Promise<RunningServer> {
  const env = {
    CATALOG_DIR: dir,
    STATE_DIR: await temporaryDirectory(),
    PORT: '0',
    MAX_FILE_MB: '512',
    HOLD_BACK: 'off',
  };
  return startNode(['../../dist/main.js'], env);
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
  const nginx = await startNginx(bench, {
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
  return { ...nginx, stop: () => nginx.end() };
}
