import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createClient } from '../../src/client.ts';
import { shop, writeFiles, writeInto } from '../support/catalogs.ts';
import { codeBlocks, sectionOf } from '../support/manual.ts';
import { execute, pack, root } from '../support/package.ts';
import { freePort, startProgram } from '../support/programs.ts';

/** A folder with the package, the shop's catalogs and nothing else. */
async function emptyFolder(t: TestContext): Promise<string> {
  const dir = await writeFiles(t, {});
  await pack(dir);
  await writeInto(join(dir, 'data/catalog'), shop);
  await mkdir(join(dir, 'data/images'));
  return dir;
}

/** Starts a program of the manual, and asks it for a news item. */
async function serves(t: TestContext, dir: string, program: string[], env: NodeJS.ProcessEnv) {
  const port = await freePort();
  const own = { ...process.env, PORT: String(port), ...env };
  const { end, listening } = startProgram(t, program, { cwd: dir, env: own });
  await listening();
  const item = await createClient(`http://127.0.0.1:${port}`).readNews(1);
  assert.deepEqual([item.title, item.read], ['We are open', 101]);
  return { port, stop: async () => (await end()).code };
}

function deployFile(name: string): string[] {
  return readFileSync(join(root, 'scripts/deploy', name), 'utf8')
    .trimEnd()
    .split('\n');
}

test('the package installs without a warning, and starts as the guide and the systemd unit say', async t => {
  const dir = await emptyFolder(t);
  const [code = ''] = codeBlocks(sectionOf('scripts/deploy/README.md', 'Install'), 'sh');
  const [install = '', serve = '', ...more] = code.trimEnd().split('\n');
  assert.deepEqual(more, []);
  const { stderr } = await execute('sh', ['-c', `${install} --engine-strict`], { cwd: dir });
  assert.doesNotMatch(stderr, /EBADENGINE|deprecated|ERESOLVE/);
  const { stdout } = await execute('npm', ['ls', '--all', '--parseable'], { cwd: dir });
  const packages = stdout.trim().split('\n').slice(1);
  assert.ok(packages.length > 0 && packages.length <= 30, packages.join('\n'));
  const { stop } = await serves(t, dir, serve.split(' '), {});
  await stop();

  const settings = deployFile('vitrine.service').filter(line => /^[^#].*=/.test(line));
  const valuesOf = (name: string) =>
    settings.flatMap(line => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));
  const [command = ''] = valuesOf('ExecStart');
  const [, ...args] = command.split(' ');
  assert.match(command, /^\/usr\/bin\/node /);
  const environment = Object.fromEntries(valuesOf('Environment').map(text => text.split('=')));
  const { STATE_DIR, PORT, ...env } = environment;
  assert.deepEqual([STATE_DIR, PORT], [`/var/lib/${valuesOf('StateDirectory')}`, '%i']);
  const unit = await serves(t, dir, [process.execPath, ...args], { ...env, STATE_DIR: join(dir, 'state') });
  assert.equal(await unit.stop(), 0);
});

test('the steps of the container file produce a working service', async t => {
  const source = await emptyFolder(t);
  const dir = await writeFiles(t, {});
  const env: Record<string, string> = {};
  let health: string[] = [];
  let stop: (() => Promise<number | null>) | undefined;
  for (const line of deployFile('Containerfile')) {
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
      const [program = '', ...args] = health;
      await execute(program, args, { cwd: dir, env: { ...process.env, PORT: String(service.port), ...env } });
      ({ stop } = service);
    } else assert.match(line, /^(FROM node:22-slim|USER node|WORKDIR \/home\/node|EXPOSE 3000)$/);
  }
  assert.equal(await stop?.(), 0);
});
