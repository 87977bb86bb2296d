import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Health } from '../../../src/contract/health.ts';
import type { CheckAnswer } from '../../../src/contract/history.ts';
import type { Settings } from '../../../src/settings/settings.ts';
import { type Files, writeInto } from '../catalogs.ts';
import { startService } from '../service.ts';
import { until } from '../until.ts';
import { bearer, previewToken } from './previews.ts';

/** The request that checks files: without those that are null, since a form deletes none. */
export async function checkOf(files: Files, headers: Record<string, string> = bearer) {
  const form = new FormData();
  for (const [name, content] of Object.entries(files)) {
    if (content === null) continue;
    const bytes = Array.isArray(content) ? JSON.stringify(content, null, 2) : content;
    form.append('files', new File([bytes], name), name);
  }
  const whole = new Response(form);
  const contentType = String(whole.headers.get('content-type'));
  const payload = new Uint8Array(await whole.arrayBuffer());
  return { method: 'POST', payload, headers: { ...headers, 'content-type': contentType } };
}

/** Without the time, and the names, which are those of what is served. */
function changesOf(changes: CheckAnswer['changes']): object | undefined {
  if (!changes || changes.from === null) return undefined;
  const { time, list, ...others } = changes;
  return { ...others, list: list.map(({ names, ...change }) => change) };
}

/**
 * Asserts that a check of files says what happens when they are then saved over `base`. Returns the outcome. A version that is
 * pinned is unpinned to see what the save would do then.
 */
export async function assertForetold(
  t: TestContext,
  what: string,
  base: Files,
  files: Files,
  options: Partial<Settings> = {},
  isPinned = false,
): Promise<string> {
  const { ask, services, settings } = await startService(t, base, {
    ...{ previewToken, reloadQuietMs: 300, reloadPollMs: 100, ...options },
  });
  const { catalog } = services;
  const get = async (url: string) => (await ask(url, { headers: bearer })).data;
  const act = (url: string) => ask(url, { method: 'POST', headers: bearer });
  if (isPinned) {
    await act(`/history/${catalog.snapshot()?.version}/pin`);
    await until(t, async () => catalog.status().pinned);
  }
  const before = catalog.status().attempt;
  const { status, body } = await ask('/check', await checkOf(files));
  assert.equal(status, 200, `${what}: ${JSON.stringify(body)}`);
  const { outcome, verdict, version, reasons, changes, ...foretold }: CheckAnswer = body.data;
  assert.equal(catalog.status().attempt, before, `${what}: the check changed something`);
  await writeInto(settings.catalogDir, files);
  if (isPinned) await act('/history/unpin');
  const { held, last_attempt }: Health = await until(t, async () => {
    const { attempt, loading } = catalog.status();
    return attempt !== before && !loading ? get('/health') : undefined;
  });
  const { outcome: happened, changes: summary, time, ...seen } = last_attempt ?? assert.fail(what);
  assert.equal(outcome, isPinned ? 'pinned' : happened === 'pending' ? 'failed' : happened, what);
  assert.deepEqual([foretold, reasons], [seen, held?.reasons ?? []], what);
  if (outcome === 'loaded')
    assert.equal(verdict, `These files would go live${summary ? `: ${summary}` : ''}.`, what);
  const hasChanges = happened === 'held' || happened === 'loaded';
  const path = happened === 'held' ? '/preview/held/changes?limit=100' : '/changes?limit=100';
  assert.deepEqual(changesOf(changes), hasChanges ? changesOf(await get(path)) : undefined, what);
  return outcome;
}
