import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { findProgram, freePort, removeDirectory, startProgram, temporaryDirectory } from './programs.ts';

/**
 * Starts an nginx with directives of the `http` block and of the `server` block, which listens on a free port of the
 * loopback. `pid` is that of a worker, which does the work.
 */
export async function startNginx({ http, server }: { http: string; server: string }) {
  const dir = temporaryDirectory();
  const port = await freePort();
  const path = join(dir, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${join(dir, name)};`,
  );
  const configuration = `
daemon off;
${getuid?.() === 0 ? 'user root;' : ''}
pid ${join(dir, 'nginx.pid')};
error_log stderr notice;
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}
  ${http}
  server {
    listen 127.0.0.1:${port};
    ${server}
  }
}
`;
  writeFileSync(path, configuration);
  let pid = 0;
  const args = ['-e', 'stderr', '-p', dir, '-c', path];
  const program = await startProgram(findProgram('nginx') ?? 'nginx', args, {
    ready: /start worker process \d/,
    onLine: line => {
      pid = Number(/start worker process (\d+)/.exec(line)?.[1] ?? pid);
    },
    lastSignal: 'SIGTERM',
  });
  return {
    port,
    pid,
    async stop(): Promise<void> {
      await program.end('SIGTERM');
      removeDirectory(dir);
    },
  };
}

/** The configuration in a file of scripts/deploy, with these addresses in place of those that it names. */
export function deployed(name: string, addresses: string[]): { http: string; server: string } {
  const text = readFileSync(new URL(`../../scripts/deploy/${name}`, import.meta.url), 'utf8');
  const [http = '', server = ''] = text.split(/^server \{\n {2}listen .*\n {2}server_name .*\n/m);
  const upstream = addresses.map(address => `  server ${new URL(address).host} fail_timeout=1s;\n`).join('');
  return { http: http.replace(/^( {2}server .*;\n)+/m, upstream), server: server.replace(/\}\s*$/, '') };
}
