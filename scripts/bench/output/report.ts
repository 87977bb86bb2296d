import { cases } from '../cases.ts';
import { formatMachine, formatVersions } from '../machine.ts';
import { CONNECTIONS, SLOW_MS } from '../parts/contender.ts';
import type { RequestResult } from '../parts/requests.ts';
import type { Results } from '../results.ts';
import { memoryRows, metricsRows, reloadRows, searchRows, startRows } from './rows.ts';
import { figure, spreadCells, table } from './table.ts';

/** All results as text of at most 110 columns. */
export function formatResults(results: Results): string {
  const { machine, omissions, servers } = results;
  const head = [
    `${results.date}: ${formatMachine(machine)}`,
    formatVersions(machine).replace(/(.{80,104},) /g, '$1\n'),
    ...Object.entries(servers).map(([name, description]) => `${name}: ${description}`),
    ...omissions.map(omission => `${omission}.`),
    ...(results.isQuick ? ['A quick run: the figures are rough.'] : []),
  ];
  const parts = [
    formatRequests(results),
    ...[metricsRows, searchRows, startRows, memoryRows, reloadRows].map(rowsOf => table(rowsOf(results))),
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
