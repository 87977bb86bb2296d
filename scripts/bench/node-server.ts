import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Program, removeDirectory, startProgram, temporaryDirectory } from '../replicas/programs.ts';

/** A server that listens on a port of the loopback. */
export interface RunningServer {
  port: number;
  /** The process that answers; it may have others under it. */
  pid: number;
  stop(): Promise<void>;
}

/** A server whose process can be sent signals, too. */
export interface NodeServer extends RunningServer {
  signal: Program['signal'];
}

interface NodeOptions {
  env?: NodeJS.ProcessEnv;
  onLine?: (line: string) => void;
}

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
/** What `npm start` tells node; all servers that run on Node get the same. */
const [, nodeFlags = ''] = /^exec node (.*)dist\/main\.js$/.exec(scripts.start) ?? [];
const flags = nodeFlags.split(' ').filter(Boolean);

/** The path of a program of the bench, given from this folder. */
export function programPath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** Starts a program on Node that logs, as Vitrine does, where it listens and which process it is. */
export async function startNode(args: string[], { env, onLine }: NodeOptions = {}): Promise<NodeServer> {
  let [pid, port] = [0, 0];
  const hear = (line: string) => {
    const [, address] = /listening on (http:[^"]+)/.exec(line) ?? [];
    if (address) [pid, port] = [JSON.parse(line).pid, Number(new URL(address).port)];
    onLine?.(line);
  };
  const program = await startProgram(process.execPath, [...flags, ...args], {
    ready: /listening on http/,
    onLine: hear,
    // Nothing of somebody's shell may set a server that others do not have.
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
  });
  return { port, pid, signal: program.signal, stop: () => program.end('SIGKILL') };
}

interface VitrineOptions {
  /** What node is told besides. */
  nodeArgs?: string[];
  onLine?: (line: string) => void;
}

/** Starts the build of Vitrine as `npm start` does, over these catalogs and with a state of its own. */
export async function startVitrine(
  catalogDir: string,
  { nodeArgs = [], onLine = () => {} }: VitrineOptions = {},
): Promise<NodeServer> {
  const stateDir = temporaryDirectory();
  // The largest catalogs of the bench are larger than files are allowed to be by default.
  const env = { CATALOG_DIR: catalogDir, STATE_DIR: stateDir, PORT: '0', MAX_FILE_MB: '512' };
  const server = await startNode([...nodeArgs, programPath('../../dist/main.js')], { env, onLine });
  return {
    ...server,
    async stop() {
      await server.stop();
      removeDirectory(stateDir);
    },
  };
}
