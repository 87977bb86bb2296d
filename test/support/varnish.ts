import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { afterTest } from './after-test.ts';
import { root } from './package.ts';
import { findProgram, freePort, removeDirectory, startProgram, temporaryDirectory } from './programs.ts';
import { until } from './until.ts';

/** What lets a request purge. */
export const TOKEN = 'a-token-of-the-tests';

/** Starts Debian's Varnish with the configuration of scripts/deploy/cdn in front of the service on this port. */
export async function startVarnish(t: TestContext, servicePort: number): Promise<string> {
  const dir = temporaryDirectory();
  const port = await freePort();
  const path = join(dir, 'varnish.vcl');
  const vcl = readFileSync(join(root, 'scripts/deploy/cdn/varnish.vcl'), 'utf8');
  writeFileSync(path, vcl.replace('.port = "3000"', `.port = "${servicePort}"`).replace('CHANGE_ME', TOKEN));
  const program = await startProgram(
    findProgram('varnishd') ?? 'varnishd',
    [
      ...['-F', '-j', 'none', '-n', join(dir, 'varnish'), '-f', path, '-a', `127.0.0.1:${port}`],
      ...['-s', 'malloc,64m', '-p', 'thread_pool_min=5', '-p', 'vsl_space=1m'],
    ],
    { ready: /Child launched OK|said Child starts/, lastSignal: 'SIGTERM' },
  );
  afterTest(t, () => program.end('SIGTERM').then(() => removeDirectory(dir)));
  const address = `http://127.0.0.1:${port}`;
  // It listens a moment after it says that it starts.
  await until(t, () => fetch(address).catch(() => undefined));
  return address;
}
