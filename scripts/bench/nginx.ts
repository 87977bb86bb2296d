import { createReadStream, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getuid } from 'node:process';
import { createInterface } from 'node:readline';
import { findProgram } from '../replicas/find-program.ts';
import { freePort } from '../replicas/free-port.ts';
import { removeDirectory, startProgram, temporaryDirectory } from '../replicas/programs.ts';
import type { Answer } from './answers.ts';
import type { RunningServer } from './node-server.ts';

const MAX_OPEN_FILES = 100_000;

export const nginxPath = findProgram('nginx');

/** Starts an nginx of one worker that serves Vitrine's answers as files, one for each address. */
export async function startNginx(answersFile: string): Promise<RunningServer> {
  const dir = temporaryDirectory();
  const files = join(dir, 'files');
  await writeFiles(files, answersFile);
  const port = await freePort();
  const path = join(dir, 'nginx.conf');
  await writeFile(path, configuration(dir, files, port));
  let pid = 0;
  const program = await startProgram(nginxPath ?? 'nginx', ['-e', 'stderr', '-p', dir, '-c', path], {
    ready: /start worker process \d/,
    // The worker answers; the process above it sleeps.
    onLine: line => {
      pid = Number(/start worker process (\d+)/.exec(line)?.[1] ?? pid);
    },
    lastSignal: 'SIGTERM',
  });
  return {
    port,
    pid,
    async stop() {
      await program.end('SIGTERM');
      removeDirectory(dir);
    },
  };
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

/** As one sets it up for files that are asked for often. */
function configuration(dir: string, files: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${join(dir, name)};`,
  );
  const openFiles = openFilesLimit();
  return `
daemon off;
${getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
worker_rlimit_nofile ${openFiles};
pid ${join(dir, 'nginx.pid')};
error_log stderr notice;
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=${Math.floor(openFiles / 2)} inactive=10m;
  open_file_cache_valid 10m;
  server {
    listen 127.0.0.1:${port};
    root ${files};
    location / {
      default_type "application/json; charset=utf-8";
      types {}
      try_files $uri/$args.json =404;
    }
  }
}
`;
}

/** How many files a process may have open at a time. */
function openFilesLimit(): number {
  const limits = readFileSync('/proc/self/limits', 'latin1');
  const [, hard] = /^Max open files +\S+ +(\d+)/m.exec(limits) ?? [];
  return Math.min(MAX_OPEN_FILES, Number(hard ?? MAX_OPEN_FILES));
}
