import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMarkdownName } from '../contract/catalog-files.ts';
import type { CheckAnswer } from '../contract/history.ts';
import type { Problem } from '../contract/problems.ts';
import { loadCatalog } from '../live/readers.ts';
import { formatProgress, formatReport, jsonReport } from '../live/report.ts';
import { printable, reasonOf } from '../messages.ts';
import { formatProblem } from '../set/collect-problems.ts';
import { nameInFolder, systemDirectory } from '../set/directory.ts';
import { publicUrl } from '../settings/parsers.ts';
import { parseAs, UsageError } from '../settings/read.ts';
import type { Settings } from '../settings/settings.ts';
import type { Call } from './call.ts';

/** `vitrine check [DIR]`. @throws Error if the service cannot be asked. */
export async function check(call: Call, dir?: string): Promise<void> {
  const { all = false, json, against } = call.flags;
  const settings = call.settings(dir);
  if (against !== undefined) return checkAgainst(call, against, settings);
  const { report } = await loadCatalog(settings, all, progress =>
    call.showProgress(`reading... ${formatProgress(progress)}`),
  );
  if (report.version === undefined) call.fail();
  call.print(`${json ? JSON.stringify(jsonReport(report), null, 2) : formatReport(report)}\n`);
}

async function checkAgainst(call: Call, against: string, settings: Settings): Promise<void> {
  const parse = (text: string) => publicUrl.parse(text) || undefined;
  const url = parseAs({ ...publicUrl, parse }, against, '--against');
  const { previewToken } = settings;
  if (previewToken === '')
    throw new UsageError('--against needs the token of the service: set --preview-token');
  const answer = await ask(`${url}/check`, await formOf(settings), previewToken).catch(error => {
    throw new Error(`cannot check against ${url}: ${printable(reasonOf(error))}`);
  });
  if (answer.outcome === 'failed') call.fail();
  if (call.flags.json) return call.print(`${JSON.stringify(answer, null, 2)}\n`);
  const lines = [
    // Problems have the shape of those of this version.
    ...answer.problems.map(problem => formatProblem(problem as Problem)),
    ...answer.reasons.map(({ code, message }) => printable(`${code} ${message}`)),
    printable(answer.verdict),
  ];
  call.print(`${lines.join('\n')}\n`);
}

async function formOf(settings: Settings): Promise<FormData> {
  const { catalogDir } = settings;
  const paths = await systemDirectory(settings).list((_place, _code, message) => {
    throw new Error(`${catalogDir}: ${message}`);
  });
  const isRead = (path: string) =>
    path.includes('/') ? isMarkdownName(nameInFolder(path) ?? '') : /\.(json|csv|xlsx|ods)$/i.test(path);
  const form = new FormData();
  for (const path of (paths ?? []).filter(isRead))
    form.append('files', new File([await readFile(join(catalogDir, path))], path));
  return form;
}

/** How long a service may take to answer, in milliseconds. */
const ANSWER_MS = 600_000;

type Envelope = { success?: boolean; message?: string; data?: CheckAnswer & { error?: string } };

async function ask(address: string, body: FormData, token: string): Promise<CheckAnswer> {
  const headers = { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(address, { method: 'POST', body, headers, signal });
  // What it needs of the answer is checked below.
  const envelope = (await response.json().catch(() => undefined)) as Envelope | undefined;
  if (envelope?.data?.error === 'ROUTE_NOT_FOUND')
    throw new Error('it does not know this token, or has none');
  if (envelope?.success === false) throw new Error(String(envelope.message));
  const answer = envelope?.data;
  if (!answer || typeof answer.verdict !== 'string' || !Array.isArray(answer.problems))
    throw new Error('it is not a Vitrine service');
  return answer;
}
