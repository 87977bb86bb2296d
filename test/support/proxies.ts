import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getuid } from 'node:process';
import type { TestContext } from 'node:test';
import type { Lifetime } from './after-test.ts';
import { writeFiles } from './catalogs.ts';
import { root } from './package.ts';
import { findProgram, freePort, startProgram } from './programs.ts';
import { until } from './until.ts';

const deployFile = (name: string) => readFileSync(join(root, 'scripts/deploy', name), 'utf8');

/**
 * Starts an nginx with directives of the `http` block and of the `server` block, which listens on a free port of the
 * loopback. `pid` is that of a worker, which does the work.
 */
export async function startNginx(t: Lifetime, { http, server }: { http: string; server: string }) {
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${name};`,
  );
  const configuration = `
daemon off;
${getuid?.() === 0 ? 'user root;' : ''}
pid nginx.pid;
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
  const dir = await writeFiles(t, { 'nginx.conf': configuration });
  const args = ['-e', 'stderr', '-p', dir, '-c', 'nginx.conf'];
  const { says, end, output } = startProgram(t, [findProgram('nginx') ?? 'nginx', ...args]);
  const [, pid] = await says(/start worker process (\d+)/);
  return { port, pid: Number(pid), end, output };
}

/** The configuration in a file of scripts/deploy, with these addresses in place of those that it names. */
export function deployed(name: string, addresses: string[]): { http: string; server: string } {
  const [http = '', server = ''] = deployFile(name).split(/^server \{\n {2}listen .*\n {2}server_name .*\n/m);
  const upstream = addresses.map(address => `  server ${new URL(address).host} fail_timeout=1s;\n`).join('');
  return { http: http.replace(/^( {2}server .*;\n)+/m, upstream), server: server.replace(/\}\s*$/, '') };
}

/** What lets a request purge Varnish. */
export const PURGE_TOKEN = 'a-token-of-the-tests';

/** Starts Debian's Varnish with the configuration of scripts/deploy/cdn in front of the service on this port. */
export async function startVarnish(t: TestContext, servicePort: number): Promise<string> {
  const port = await freePort();
  const vcl = deployFile('cdn/varnish.vcl')
    .replace('.port = "3000"', `.port = "${servicePort}"`)
    .replace('CHANGE_ME', PURGE_TOKEN);
  const dir = await writeFiles(t, { 'varnish.vcl': vcl });
  startProgram(t, [
    ...[findProgram('varnishd') ?? 'varnishd', '-F', '-j', 'none', '-n', join(dir, 'varnish')],
    ...['-f', join(dir, 'varnish.vcl'), '-a', `127.0.0.1:${port}`, '-s', 'malloc,64m'],
    ...['-p', 'thread_pool_min=5', '-p', 'vsl_space=1m'],
  ]);
  const address = `http://127.0.0.1:${port}`;
  await until(t, () => fetch(address).catch(() => undefined));
  return address;
}
