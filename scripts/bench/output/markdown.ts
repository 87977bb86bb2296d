import { cases } from '../cases.ts';
import type { Results } from '../results.ts';
import { figure, type Spread } from '../statistics.ts';

type Rows = string[][];

/** What the README quotes: the servers side by side over catalogs of one size, and Vitrine by itself. */
export function markdown(results: Results, size: number | undefined): string {
  const tables = [serverRows(results, size), growthRows(results), ...ownRows(results)];
  const head = `${results.date.slice(0, 10)}, ${results.machine}:`;
  return [head, ...tables.filter(rows => rows.length > 1).map(table)].join('\n\n');
}

function serverRows({ requests, servers }: Results, size: number | undefined): Rows {
  const results = requests.filter(result => result.size === size);
  const cell = (name: string, server: string) =>
    figure(results.find(item => item.case === name && item.server === server)?.cpuMicroseconds.median);
  return [
    [`CPU time a request in µs, ${figure(size)} news`, ...servers],
    ...casesOf(results).map(({ name, title }) => [title, ...servers.map(server => cell(name, server))]),
  ];
}

/** What Vitrine takes as the catalogs grow. */
function growthRows({ requests }: Results): Rows {
  const results = requests.filter(({ server }) => server === 'vitrine');
  const sizes = [...new Set(results.map(({ size }) => size))];
  const cell = (name: string, size: number) => {
    const result = results.find(item => item.case === name && item.size === size);
    return `${figure(result?.cpuMicroseconds.median)} (${figure(result?.timesNodeHttp)})`;
  };
  return [
    ['µs (times node:http)', ...sizes.map(size => `${figure(size)} news`)],
    ...casesOf(results).map(({ name, title }) => [title, ...sizes.map(size => cell(name, size))]),
  ];
}

function ownRows({ starts, memory }: Results): Rows[] {
  return [
    [
      ['Start until it listens', 'ms', '', '× Fastify', 'starts'],
      ...starts.map(({ what, ms, starts: count }) => [
        what,
        ...spread(ms),
        figure(ms.median / (starts[0]?.ms.median ?? Number.NaN)),
        String(count),
      ]),
    ],
    [
      ['Memory, after loading', 'files MB', 'RSS MB', 'growth × files'],
      ...memory.map(({ what, fileBytes, residentBytes, bytesPerByte }) => [
        what,
        ...[fileBytes / 1e6, residentBytes / 1e6, bytesPerByte].map(figure),
      ]),
    ],
  ];
}

/** The cases that have results. */
function casesOf(results: { case: string }[]) {
  return cases.filter(({ name }) => results.some(result => result.case === name));
}

function spread({ median, least, most }: Spread): string[] {
  return [figure(median), `${figure(least)}..${figure(most)}`];
}

function table([head = [], ...rows]: Rows): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
