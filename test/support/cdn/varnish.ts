import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../package.ts';
import { findProgram } from '../replicas/find-program.ts';
import { freePort } from '../replicas/free-port.ts';
import { removeDirectory, startProgram, temporaryDirectory } from '../replicas/programs.ts';

export const PAGE = 'scripts/deploy/cdn/README.md';
const TOKEN = 'a-token-of-the-tests';

/** Starts Debian's Varnish with the configuration of scripts/deploy/cdn in front of the service on this port. */
export async function startVarnish(servicePort: number) {
  const dir = temporaryDirectory();
  const port = await freePort();
  const vcl = readFileSync(join(root, 'scripts/deploy/cdn/varnish.vcl'), 'utf8')
    .replace('.port = "3000"', `.port = "${servicePort}"`)
    .replace('CHANGE_ME', TOKEN);
  const path = join(dir, 'varnish.vcl');
  writeFileSync(path, vcl);
  const program = await startProgram(
    findProgram('varnishd') ?? 'varnishd',
    [
      ...['-F', '-j', 'none', '-n', join(dir, 'varnish'), '-f', path, '-a', `127.0.0.1:${port}`],
      ...['-s', 'malloc,64m', '-p', 'thread_pool_min=5', '-p', 'vsl_space=1m'],
    ],
    { ready: /Child launched OK|said Child starts/, lastSignal: 'SIGTERM' },
  );
  const address = `http://127.0.0.1:${port}`;
  // It listens a moment after it says that it starts.
  const answers = () =>
    fetch(address).then(
      () => true,
      () => false,
    );
  while (!(await answers())) await delay(10);
  return {
    address,
    async stop(): Promise<void> {
      await program.end('SIGTERM');
      removeDirectory(dir);
    },
  };
}

/** Starts the receiver that purges this Varnish. */
export async function startReceiver(varnish: string, secret: string) {
  const script = join(root, 'scripts/deploy/cdn/purge.mjs');
  const port = await freePort();
  const settings = { WEBHOOK_SECRET: secret, PURGE_TOKEN: TOKEN, VARNISH: varnish, PORT: String(port) };
  const program = await startProgram(process.execPath, [script], {
    ready: /listening on/,
    env: { ...process.env, ...settings },
  });
  return { url: `http://127.0.0.1:${port}/`, stop: () => program.end('SIGTERM') };
}
