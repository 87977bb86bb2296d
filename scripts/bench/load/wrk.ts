import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findProgram } from '../../../test/support/replicas/find-program.ts';
import { removeDirectory, temporaryDirectory } from '../../../test/support/replicas/programs.ts';

/** What one run of wrk sent. */
interface WrkLoad {
  answers: number;
  seconds: number;
  /** Answers of 400 and above, and errors of connections. */
  failures: number;
}

/** A list of requests that wrk sends. */
export interface Wrk {
  /** Sends them for two seconds over 32 connections. They go round the list, beginning at `first`. */
  run(port: number, first: number): Promise<WrkLoad>;
  remove(): void;
}

/** wrk takes a few microseconds for a request, so that it leaves most of two cores to the server. */
export const wrkPath = findProgram('wrk');
const OPTIONS = ['--threads', '1', '--connections', '32', '--duration', '2s'];

/** Prepares a request for each path. */
export function openWrk(paths: string[]): Wrk {
  const dir = temporaryDirectory();
  const script = join(dir, 'requests.lua');
  writeFileSync(script, scriptOf(paths));
  return {
    async run(port, first) {
      const args = [...OPTIONS, '--script', script, `http://127.0.0.1:${port}`, '--', String(first)];
      const wrk = spawn(wrkPath ?? 'wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
      const [output] = await Promise.all([text(wrk.stdout), once(wrk, 'close')]);
      return JSON.parse(output.trim().split('\n').at(-1) ?? '');
    },
    remove: () => removeDirectory(dir),
  };
}

/** The script of wrk. Its last line of output is a {@link WrkLoad}. */
function scriptOf(paths: string[]): string {
  return `
local paths = { ${paths.map(path => `'${path}'`).join(', ')} }
local requests, next = {}, 0
function init(args)
  for index, path in ipairs(paths) do requests[index] = wrk.format('GET', path) end
  next = tonumber(args[1])
end
function request()
  next = next % #requests + 1
  return requests[next]
end
function done(summary)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  local line = '{"answers":%d,"seconds":%f,"failures":%d}'
  print(string.format(line, summary.requests, summary.duration / 1e6, failures))
end
`;
}
