import { cpuUsage, memoryUsage, uptime } from 'node:process';
import { Counter, Gauge, type Registry } from 'prom-client';

/** What concerns the whole process, under the names that it has everywhere. */
export function registerProcessMetrics(registry: Registry): void {
  const registers = [registry];
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process, in user and system mode, in seconds',
    registers,
    collect() {
      const { user, system } = cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process that is in RAM',
    registers,
    collect() {
      this.set(memoryUsage.rss());
    },
  });
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process began, in Unix seconds',
    registers,
  }).set(Date.now() / 1000 - uptime());
}
