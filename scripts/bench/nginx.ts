import { createReadStream, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { startNginx } from '../../test/support/nginx.ts';
import { findProgram } from '../../test/support/replicas/find-program.ts';
import { removeDirectory, temporaryDirectory } from '../../test/support/replicas/programs.ts';
import type { Answer } from './answers.ts';
import type { RunningServer } from './node-server.ts';

const MAX_OPEN_FILES = 100_000;

export const nginxPath = findProgram('nginx');

/** Starts an nginx with one worker that serves recorded answers as files, one for each path. */
export async function startFileServer(answersFile: string): Promise<RunningServer> {
  const dir = temporaryDirectory();
  await writeFiles(dir, answersFile);
  const openFiles = openFilesLimit();
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

async function writeFiles(dir: string, answersFile: string): Promise<void> {
  for await (const line of createInterface(createReadStream(answersFile))) {
    const { path, body }: Answer = JSON.parse(line);
    const [pathname = '', query = ''] = path.split('?');
    const file = join(dir, pathname, `${query}.json`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, body);
  }
}

/** How many open files a process may have. */
function openFilesLimit(): number {
  const limits = readFileSync('/proc/self/limits', 'latin1');
  const [, hard] = /^Max open files +\S+ +(\d+)/m.exec(limits) ?? [];
  return Math.min(MAX_OPEN_FILES, Number(hard ?? MAX_OPEN_FILES));
}
