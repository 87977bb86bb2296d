import type { Results } from '../results.ts';
import { figure, spreadCells } from './table.ts';

export function metricsRows({ metrics }: Results): string[][] {
  if (metrics.length === 0) return [];
  const rows = metrics.map(({ what, withMicroseconds, withoutMicroseconds, costMicroseconds }) => [
    what,
    ...spreadCells(withMicroseconds),
    ...spreadCells(withoutMicroseconds),
    figure(costMicroseconds),
  ]);
  return [['Metrics of an answer', 'with, µs', '', 'without, µs', '', 'cost µs'], ...rows];
}

/** Searches by the index beside searches by a look at every text. */
export function searchRows({ search }: Results): string[][] {
  const [first] = search;
  if (!first) return [];
  const head = [`Keyword in ${figure(first.items)} news`, 'found', 'search µs', '', 'scan µs', '', '× scan'];
  const rows = search.map(({ what, found, searchMicroseconds, scanMicroseconds }) => [
    what,
    figure(found),
    ...spreadCells(searchMicroseconds),
    ...spreadCells(scanMicroseconds),
    figure(searchMicroseconds.median / scanMicroseconds.median),
  ]);
  return [head, ...rows];
}

export function startRows({ starts }: Results): string[][] {
  const [least] = starts;
  if (!least) return [];
  const rows = starts.map(({ what, ms, starts }) => [
    what,
    ...spreadCells(ms),
    figure(ms.median / least.ms.median),
    String(starts),
  ]);
  return [['Start until it listens', 'ms', '', '× Fastify', 'starts'], ...rows];
}

export function memoryRows({ memory }: Results): string[][] {
  if (memory.length === 0) return [];
  const rows = memory.map(({ what, fileBytes, residentBytes, bytesPerByte }) => [
    what,
    figure(fileBytes / 1e6),
    figure(residentBytes / 1e6),
    figure(bytesPerByte),
  ]);
  return [['Memory, after loading', 'files MB', 'RSS MB', 'growth × files'], ...rows];
}

export function reloadRows({ reload }: Results): string[][] {
  if (reload.length === 0) return [];
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
  return [[...head, 'longest stop ms', "client's own"], ...rows];
}
