import { test } from 'node:test';
import { shopWith, writeFiles } from './support/catalogs.ts';
import { openCatalogs } from './support/fuzz/catalogs.ts';
import { namedCases } from './support/fuzz/fuzz.ts';
import { corpusRequests, exchange, probe } from './support/fuzz/requests.ts';
import { openStates } from './support/fuzz/states.ts';
import { startService } from './support/service.ts';

test('corpus: every request is answered as documented, and so is the next connection', async t => {
  const { listen } = await startService(t, shopWith({ 'launch.png': 'an image' }));
  const port = await listen();
  for (const [name, request] of corpusRequests) {
    await t.test(name, async () => {
      await exchange(port, request);
      await probe(port);
    });
  }
});

test('corpus: every set is loaded, or refused with a position and a printable message', async t => {
  const { run } = openCatalogs(await writeFiles(t, {}));
  for (const [name, item] of namedCases('catalogs')) await t.test(name, () => run(item).then(() => {}));
});

test('corpus: no state file loses a count', async t => {
  const { run } = openStates(await writeFiles(t, {}));
  for (const [name, item] of namedCases('states')) await t.test(name, () => run(item).then(() => {}));
});
