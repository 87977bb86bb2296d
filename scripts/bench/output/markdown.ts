import { cases } from '../cases.ts';
import { formatMachine, formatVersions } from '../machine.ts';
import type { Results } from '../results.ts';
import { memoryRows, metricsRows, reloadRows, searchRows, startRows } from './rows.ts';
import { figure } from './table.ts';

/** What the README quotes of a run, as Markdown: the servers side by side over catalogs of one size, and Vitrine alone. */
export function markdown(results: Results, size: number): string {
  const { date, machine } = results;
  const rowsOf = [growthRows, metricsRows, searchRows, startRows, memoryRows, reloadRows];
  const tables = [serverRows(results, size), ...rowsOf.map(rows => rows(results))].map(markdownTable);
  const head = `${date.slice(0, 10)}, ${formatMachine(machine)}; ${formatVersions(machine)}:`;
  return [head, ...tables.filter(Boolean)].join('\n\n');
}

function serverRows({ requests, servers }: Results, size: number): string[][] {
  const names = Object.keys(servers);
  const cells = (name: string) =>
    names.map(server => {
      const result = requests.find(
        item => item.case === name && item.size === size && item.server === server,
      );
      return figure(result?.cpuMicroseconds.median);
    });
  const head = [`CPU time a request in µs, ${figure(size)} news`, ...names];
  return [head, ...cases.map(({ name, title }) => [title, ...cells(name)])];
}

/** What Vitrine takes as the catalogs grow. */
function growthRows({ requests }: Results): string[][] {
  const ofVitrine = requests.filter(({ server }) => server === 'vitrine');
  const sizes = [...new Set(ofVitrine.map(({ size }) => size))];
  const cells = (name: string) =>
    sizes.map(size => {
      const result = ofVitrine.find(item => item.case === name && item.size === size);
      return `${figure(result?.cpuMicroseconds.median)} (${figure(result?.timesNodeHttp)})`;
    });
  const head = ['µs (times node:http)', ...sizes.map(size => `${figure(size)} news`)];
  return [head, ...cases.map(({ name, title }) => [title, ...cells(name)])];
}

function markdownTable([head, ...rows]: string[][]): string {
  if (!head) return '';
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
