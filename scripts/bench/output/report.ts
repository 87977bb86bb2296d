import { cases } from '../cases.ts';
import { CONNECTIONS, SLOW_MS } from '../parts/contender.ts';
import type { RequestResult } from '../parts/requests.ts';
import type { Results } from '../results.ts';
import { figure, spreadCells, table } from './table.ts';

/** All results as text of at most 110 columns. */
export function formatResults(results: Results): string {
  const { machine, omissions, servers } = results;
  const versions = Object.entries(machine.versions).map(([name, version]) => `${name} ${version}`);
  const head = [
    `${results.date}: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}`,
    versions.join(', ').replace(/(.{80,104},) /g, '$1\n'),
    ...Object.entries(servers).map(([name, description]) => `${name}: ${description}`),
    ...omissions.map(omission => `${omission}.`),
    ...(results.isQuick ? ['A quick run: the figures are rough.'] : []),
  ];
  const parts = [
    formatRequests(results),
    formatSearch(results),
    formatStarts(results),
    formatMemory(results),
    formatReload(results),
  ];
  return [`${head.join('\n')}\n`, ...parts].filter(Boolean).join('\n');
}

function formatRequests({ requests }: Results): string {
  const titled = requests.map(result => ({ title: titleOf(result), result }));
  const titles = [...new Set(titled.map(({ title }) => title))];
  const groupOf = (wanted: string) =>
    titled.filter(({ title }) => title === wanted).map(({ result }) => result);
  if (titles.length === 0) return '';
  const how = `${CONNECTIONS} connections, or one (*) where an answer takes more than ${SLOW_MS} ms; medians, least..most.\n`;
  return [how, ...titles.map(title => `${title}\n${requestTable(groupOf(title))}`)].join('\n');
}

function titleOf({ case: name, size }: RequestResult): string {
  return `${cases.find(item => item.name === name)?.title}; ${figure(size)} news`;
}

function requestTable(group: RequestResult[]): string {
  const head = ['', 'CPU µs', 'a request', '× node:http', 'requests/s', '', 'p99 ms', '', 'answers'];
  const rows = group.map(result => [
    `${result.server}${result.connections < CONNECTIONS ? ' *' : ''}`,
    ...spreadCells(result.cpuMicroseconds),
    figure(result.timesNodeHttp),
    ...spreadCells(result.requestsPerSecond),
    ...spreadCells(result.p99Ms),
    String(result.answers),
  ]);
  return table([head, ...rows]);
}

function formatSearch({ search }: Results): string {
  const [first] = search;
  if (!first) return '';
  const rows = search.map(({ what, found, searchMicroseconds, scanMicroseconds }) => [
    what,
    figure(found),
    ...spreadCells(searchMicroseconds),
    ...spreadCells(scanMicroseconds),
    figure(searchMicroseconds.median / scanMicroseconds.median),
  ]);
  const title = `Keyword in ${figure(first.items)} news`;
  return table([[title, 'found', 'search µs', '', 'scan µs', '', '× scan'], ...rows]);
}

function formatStarts({ starts }: Results): string {
  if (starts.length === 0) return '';
  const [least] = starts;
  const rows = starts.map(({ what, ms, starts }) => [
    what,
    ...spreadCells(ms),
    figure(ms.median / (least?.ms.median ?? Number.NaN)),
    String(starts),
  ]);
  return table([['Start until it listens', 'ms', '', '× Fastify', 'starts'], ...rows]);
}

function formatMemory({ memory }: Results): string {
  if (memory.length === 0) return '';
  const rows = memory.map(({ what, fileBytes, residentBytes, bytesPerByte }) => [
    what,
    figure(fileBytes / 1e6),
    figure(residentBytes / 1e6),
    figure(bytesPerByte),
  ]);
  return table([['Memory, after loading', 'files MB', 'RSS MB', 'growth × files'], ...rows]);
}

function formatReload({ reload }: Results): string {
  if (reload.length === 0) return '';
  const rows = reload.map(result => [
    result.what,
    String(result.reloads),
    String(result.answers),
    String(result.failures.length),
    figure(result.p99Ms),
    figure(result.maxMs),
    figure(result.serverStopMs),
    figure(result.clientStopMs),
  ]);
  const head = ['500 requests a second', 'reloads', 'answers', 'failures', 'p99 ms', 'max ms'];
  return table([[...head, 'longest stop ms', "client's own"], ...rows]);
}
