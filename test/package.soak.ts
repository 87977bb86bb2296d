import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { freePort } from '../scripts/replicas/free-port.ts';
import { createClient } from '../src/client.ts';
import { shop, writeFiles, writeInto } from './catalogs.ts';
import { execute, pack, readmeBlock } from './package.ts';
import { until } from './until.ts';

/** A folder with the package, the shop's catalogs and nothing else. */
async function emptyFolder(t: TestContext, endUse?: () => Promise<unknown> | undefined): Promise<string> {
  const dir = await writeFiles(t, {}, endUse);
  await pack(dir);
  await writeInto(join(dir, 'data/catalog'), shop);
  await mkdir(join(dir, 'data/images'));
  return dir;
}

/** Starts a program of the README, asks it for a news item, and has it stopped as the system would. */
async function serves(
  t: TestContext,
  dir: string,
  [program = '', ...args]: string[],
  env: NodeJS.ProcessEnv,
) {
  const port = await freePort();
  const child: ChildProcess = spawn(program, args, {
    cwd: dir,
    env: { ...process.env, PORT: String(port), ...env },
    detached: true,
    stdio: 'inherit',
  });
  t.after(() => child.pid && child.exitCode === null && process.kill(-child.pid, 'SIGKILL'));
  const client = createClient(`http://127.0.0.1:${port}`);
  const item = await until(t, async () => {
    assert.equal(child.exitCode, null, 'it has ended');
    return client.readNews(1).catch(() => undefined);
  });
  assert.deepEqual([item.title, item.read], ['We are open', 101]);
  const stop = async () => {
    if (child.pid) process.kill(-child.pid, 'SIGTERM');
    const [code] = await once(child, 'exit');
    return code;
  };
  return { port, stop };
}

test('in an empty folder with its own catalogs, two commands serve them', async t => {
  const dir = await emptyFolder(t);
  const [install = '', serve = '', ...more] = readmeBlock('Deploying', 'sh');
  assert.deepEqual(more, []);
  await execute('sh', ['-c', install], { cwd: dir });
  const { stop } = await serves(t, dir, serve.split(' '), {});
  await stop();
});

test('the unit of systemd starts the service, and stops it in order', async t => {
  const dir = await emptyFolder(t);
  await execute('npm', ['install', './vitrine-0.1.0.tgz'], { cwd: dir });
  const settings = readmeBlock('Deploying', 'ini').filter(line => line.includes('='));
  const valuesOf = (name: string) =>
    settings.flatMap(line => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));
  const [command = ''] = valuesOf('ExecStart');
  const [, ...args] = command.split(' ');
  assert.match(command, /^\/usr\/bin\/node /);
  const { STATE_DIR, ...env } = Object.fromEntries(valuesOf('Environment').map(text => text.split('=')));
  assert.equal(STATE_DIR, `/var/lib/${valuesOf('StateDirectory')}`);
  const { PORT, ...others } = env;
  assert.equal(PORT, '3000');
  const { stop } = await serves(t, dir, [process.execPath, ...args], {
    ...others,
    STATE_DIR: join(dir, 'state'),
  });
  assert.equal(await stop(), 0);
});

test('the steps of the container file make a folder that serves', async t => {
  const source = await emptyFolder(t);
  const dir = await writeFiles(t, {});
  const env: Record<string, string> = {};
  let health: string[] = [];
  let stop: (() => Promise<number>) | undefined;
  for (const line of readmeBlock('Deploying', 'dockerfile')) {
    const [step, ...rest] = line.split(' ');
    const text = rest.join(' ');
    if (step === 'COPY') {
      const [from = '', to = ''] = rest.filter(word => !word.startsWith('--'));
      await cp(join(source, from), join(dir, to, to.endsWith('/') ? from : ''), { recursive: true });
    } else if (step === 'RUN') await execute('sh', ['-c', text], { cwd: dir });
    else if (step === 'ENV') Object.assign(env, Object.fromEntries(rest.map(pair => pair.split('='))));
    else if (step === 'HEALTHCHECK') health = JSON.parse(text.replace('CMD ', ''));
    else if (step === 'CMD') {
      const service = await serves(t, dir, JSON.parse(text), env);
      const [program = '', ...args] = health.map(word => word.replace('3000', String(service.port)));
      await execute(program, args);
      ({ stop } = service);
    } else assert.match(line, /^(FROM node:22-slim|USER node|WORKDIR \/home\/node|EXPOSE 3000)$/);
  }
  assert.equal(await stop?.(), 0);
});
