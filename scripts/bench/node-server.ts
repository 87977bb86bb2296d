import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { removeDirectory, startProgram, temporaryDirectory } from '../../test/support/replicas/programs.ts';

/** A server on a port of the loopback. */
export interface RunningServer {
  port: number;
  /** The process that answers; its children count as well. */
  pid: number;
  stop(): Promise<void>;
}

interface NodeOptions {
  env?: NodeJS.ProcessEnv;
  onLine?: (line: string) => void;
}

const { scripts } = JSON.parse(readFileSync(programPath('../../package.json'), 'utf8'));
/** Every server on Node gets the flags of `npm start`. */
const [, nodeFlags = ''] = /^exec node (.*)dist\/main\.js$/.exec(scripts.start) ?? [];
const flags = nodeFlags.split(' ').filter(Boolean);

/** The path of a file of the bench, given from this folder. */
export function programPath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** Starts a program on Node that logs its address and its process id in Vitrine's format. */
export async function startNode(args: string[], { env, onLine }: NodeOptions = {}): Promise<RunningServer> {
  let [pid, port] = [0, 0];
  const program = await startProgram(process.execPath, [...flags, ...args], {
    ready: /listening on http/,
    onLine(line) {
      const [, address] = /listening on (http:[^"]+)/.exec(line) ?? [];
      if (address) [pid, port] = [JSON.parse(line).pid, Number(new URL(address).port)];
      onLine?.(line);
    },
    // Without the environment of the shell, which may configure one of the servers.
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
  });
  return { port, pid, stop: () => program.end('SIGKILL') };
}

interface VitrineOptions {
  env?: NodeJS.ProcessEnv;
  onLine?: (line: string) => void;
}

/** Starts the build of Vitrine as `npm start` does, with a state directory of its own. */
export async function startVitrine(
  catalogDir: string,
  { env: more = {}, onLine = () => {} }: VitrineOptions = {},
): Promise<RunningServer> {
  const stateDir = temporaryDirectory();
  const env = { CATALOG_DIR: catalogDir, STATE_DIR: stateDir, PORT: '0', MAX_FILE_MB: '512', ...more };
  const server = await startNode([programPath('../../dist/main.js')], { env, onLine });
  return { ...server, stop: () => server.stop().finally(() => removeDirectory(stateDir)) };
}
