import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startNginx } from '../nginx.ts';
import { root } from '../package.ts';

/** Starts the nginx of scripts/deploy in front of these addresses. It names the one that answered in `Served-By`. */
export async function startLoadBalancer(addresses: string[]) {
  const { http, server } = deployed('nginx-replicas.conf', addresses);
  const named = `${server}\n  add_header Served-By $upstream_addr always;`;
  const { port, stop } = await startNginx({ http, server: named });
  return { address: `http://127.0.0.1:${port}`, stop };
}

/** The configuration in a file of scripts/deploy, with these addresses in place of those that it names. */
export function deployed(name: string, addresses: string[]): { http: string; server: string } {
  const text = readFileSync(join(root, 'scripts/deploy', name), 'utf8');
  const [http = '', server = ''] = text.split(/^server \{\n {2}listen .*\n {2}server_name .*\n/m);
  const upstream = addresses.map(address => `  server ${new URL(address).host} fail_timeout=1s;\n`).join('');
  return { http: http.replace(/^( {2}server .*;\n)+/m, upstream), server: server.replace(/\}\s*$/, '') };
}
