import { readdirSync, readFileSync } from 'node:fs';
import { cpuUsage, memoryUsage, platform, uptime } from 'node:process';
import type { Registry } from 'prom-client';
import { addMetric } from './add-metric.ts';

/** Adds the metrics of the whole process, under the names that Prometheus clients share. */
export function addProcessMetrics(registry: Registry): void {
  const add = addMetric.bind(undefined, registry);
  const started = Date.now() / 1000 - uptime();
  add('process_cpu_seconds_total', 'User and system CPU time, in seconds', cpuSeconds);
  add('process_resident_memory_bytes', 'Resident memory', memoryUsage.rss);
  add('nodejs_heap_size_total_bytes', 'Size of the V8 heap', () => memoryUsage().heapTotal);
  add('nodejs_heap_size_used_bytes', 'Part of the V8 heap that is in use', () => memoryUsage().heapUsed);
  add('process_start_time_seconds', 'Unix time at which the process started', () => started);
  if (platform !== 'linux') return;
  add('process_open_fds', 'Open file descriptors', openDescriptors);
  add('process_max_fds', 'Limit of open file descriptors', maxDescriptors);
}

function cpuSeconds(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1e6;
}

function openDescriptors(): number {
  // Reading the directory opens one more.
  return readdirSync('/proc/self/fd').length - 1;
}

/** Infinity if there is no limit. */
function maxDescriptors(): number {
  const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return limit ? Number(limit) : Number.POSITIVE_INFINITY;
}
