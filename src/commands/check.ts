import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckAnswer } from '../contract/history.ts';
import type { Problem, Reporter } from '../contract/problems.ts';
import { loadCatalog } from '../live/readers.ts';
import { formatProgress, formatReport, jsonReport } from '../live/report.ts';
import { printable, reasonOf } from '../messages.ts';
import { formatProblem } from '../set/collect-problems.ts';
import { type Directory, systemDirectory } from '../set/directory.ts';
import { readFiles } from '../set/files.ts';
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
  const answer = await askService(`${url}/check`, await formOf(settings), previewToken).catch(error => {
    throw new Error(`cannot check against ${url}: ${printable(reasonOf(error))}`);
  });
  if (answer.outcome === 'failed') call.fail();
  if (call.flags.json) return call.print(`${JSON.stringify(answer, null, 2)}\n`);
  const isUnsaid = ({ message }: { message: string }) =>
    answer.problems.every(problem => problem.message !== message);
  const lines = [
    // Assumes that the service's problems have the shape of this version.
    ...answer.problems.map(problem => formatProblem(problem as Problem)),
    ...answer.not_read.filter(isUnsaid).map(({ file, message }) => printable(`${file}: ${message}`)),
    ...answer.reasons.map(({ code, message }) => printable(`${code} ${message}`)),
    printable(answer.verdict),
  ];
  call.print(`${lines.join('\n')}\n`);
}

/** Lists all files of a directory: those that Vitrine reads or looks into with their content, others by size and name. */
async function formOf(settings: Settings): Promise<FormData> {
  const { catalogDir } = settings;
  const directory = systemDirectory(settings);
  const contents = new Map<string, Buffer>();
  const peeked = new Set<string>();
  let fault: string | undefined;
  const report: Reporter = ({ file }, code, message) => {
    if (code === 'NO_DIRECTORY' || code === 'UNREADABLE_FILE') fault ??= `${file}: ${message}`;
  };
  const read: Directory['read'] = async path => {
    const content = await directory.read(path, report);
    if (content) contents.set(path, content);
    return content;
  };
  const peek: Directory['peek'] = path => directory.peek(peeked.add(path) && path);
  const { lookAlikes } = await readFiles({ ...directory, read, peek }, report);
  for (const { file } of lookAlikes) if (peeked.has(file)) await read(file, report);
  const form = new FormData();
  form.append('complete', 'true');
  for (const path of (await directory.list(report)) ?? []) {
    const stats = await stat(join(catalogDir, path)).catch(() => undefined);
    if (!stats?.isFile() || /(?:^|\/)\./.test(path)) continue;
    const content = contents.get(path);
    if (content) form.append('files', new File([content], path));
    else form.append('names', `${stats.size} ${path}`);
  }
  if (fault !== undefined) throw new Error(fault);
  return form;
}

/** How long a service may take to answer, in milliseconds. */
const ANSWER_MS = 600_000;

type CheckEnvelope = { success?: boolean; message?: string; data?: CheckAnswer & { error?: string } };

async function askService(address: string, body: FormData, token: string): Promise<CheckAnswer> {
  const headers = { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(ANSWER_MS);
  const response = await fetch(address, { method: 'POST', body, headers, signal });
  // The parts that matter are checked below.
  const envelope = (await response.json().catch(() => undefined)) as CheckEnvelope | undefined;
  if (envelope?.data?.error === 'ROUTE_NOT_FOUND') throw new Error('it has another token, or none');
  if (envelope?.success === false) throw new Error(String(envelope.message));
  const answer = envelope?.data;
  if (!answer || typeof answer.verdict !== 'string' || !Array.isArray(answer.problems))
    throw new Error('it is not a Vitrine service');
  if (answer.complete === undefined)
    throw new Error('it is older than this command, and compares no whole folder: update it');
  return answer;
}
