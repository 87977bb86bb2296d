import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Settings } from '../../src/settings/settings.ts';
import { drastic, type Files, shop, writeInto } from './catalogs.ts';
import { bearer, previewToken, startService, type TestRequest } from './service.ts';
import { until } from './until.ts';

/** A service with a history: the sets go live one after the other. Returns their versions, oldest first, too. */
export async function startHistory(
  t: TestContext,
  sets: readonly Files[],
  options: Partial<Settings> = {},
  first: Files = shop,
) {
  const service = await startService(t, first, { previewToken, logLevel: 'silent', ...options });
  const { catalogDir, stateDir } = service.settings;
  /** Asks with the token. */
  const ask = (url: string, request: Omit<TestRequest, 'url'> = {}) =>
    service.ask(url, { ...request, headers: { ...bearer, ...request.headers } });
  const post = (url: string) => ask(url, { method: 'POST' });
  /** Resolves to the versions of the history, oldest first, once there are so many and the newest is served. */
  const kept = (count: number): Promise<string[]> =>
    until(t, async () => {
      const { data } = await ask('/history?limit=100');
      const list: { version: string; state: string }[] = data.list;
      const isServed = data.pagination.total === count && list[0]?.state === 'served';
      return isServed && list.map(({ version }) => version).reverse();
    });
  let versions = await kept(1);
  for (const files of sets) {
    await writeInto(catalogDir, files);
    versions = await kept(versions.length + 1);
  }
  /** Saves a drastic change, and resolves to its version once it is held back. */
  const hold = async (): Promise<string> => {
    await writeInto(catalogDir, drastic);
    return until(t, async () => (await ask('/history')).data.held?.version);
  };
  /** Resolves to the health of the service once it serves this version. */
  const serves = (version: string) =>
    until(t, async () => {
      const { data } = await ask('/health');
      return data.catalogs.version === version ? data : undefined;
    });
  /** What a control file in the history says; undefined if there is none. */
  const controlFile = (name: 'pin' | 'publish' | 'held') =>
    readFile(join(stateDir, 'history', name), 'utf8').catch(() => undefined);
  return { ...service, ask, post, versions, hold, serves, controlFile, catalogDir, stateDir };
}
