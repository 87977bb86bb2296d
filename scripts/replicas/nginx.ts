import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { findProgram } from './find-program.ts';
import { freePort } from './free-port.ts';
import { removeDirectory, startProgram, temporaryDirectory } from './programs.ts';

export type Nginx = Awaited<ReturnType<typeof startNginx>>;

/** Starts an nginx before these addresses, on a free port of the loopback. It says `Served-By` in each answer. */
export async function startNginx(addresses: string[]) {
  const dir = temporaryDirectory();
  const port = await freePort();
  const path = join(dir, 'nginx.conf');
  writeFileSync(path, configuration(dir, port, addresses));
  const args = ['-e', 'stderr', '-p', dir, '-c', path];
  const program = await startProgram(findProgram('nginx') ?? 'nginx', args, {
    ready: /start worker process \d/,
    lastSignal: 'SIGTERM',
  });
  return {
    address: `http://127.0.0.1:${port}`,
    async stop(): Promise<void> {
      await program.end('SIGTERM');
      removeDirectory(dir);
    },
  };
}

/**
 * Since a GET counts, nothing is sent to a second replica that the first one may have counted. A 503 of Vitrine's says
 * that it was not; where a connection was refused, nothing was sent. For anything else the client gets the 502.
 */
function configuration(dir: string, port: number, addresses: string[]): string {
  const servers = addresses.map(address => `server ${new URL(address).host} fail_timeout=1s;`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${join(dir, name)};`,
  );
  return `
daemon off;
${getuid?.() === 0 ? 'user root;' : ''}
pid ${join(dir, 'nginx.pid')};
error_log stderr notice;
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}

  upstream vitrine {
    ${servers.join('\n    ')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_connect_timeout 2s;
    proxy_next_upstream http_503;
    add_header Served-By $upstream_addr;

    location / {
      proxy_pass http://vitrine;
      error_page 502 504 = @elsewhere;
    }
    location @elsewhere {
      if ($upstream_bytes_sent !~ "(^|[ ,])0$") { return 502; }
      proxy_pass http://vitrine;
    }
  }
}
`;
}
