import { parseArgs } from 'node:util';
import { type Case, cases } from './cases.ts';
import { UsageError } from './command-line.ts';
import { full, type Plan, quick } from './plan.ts';
import { type Server, servers } from './servers.ts';

const partNames = ['requests', 'start', 'memory'] as const;
export type PartName = (typeof partNames)[number];

export const HELP = `Usage: npm run bench -- [--quick] [--parts LIST] [--servers LIST] [--cases LIST]

Compares the CPU time of requests with other servers, and measures start and memory of Vitrine. A whole run installs
json-server, and writes results.json and results.md to scripts/bench. Any other run writes them to a new folder.

  --quick          a rough run of a few minutes that installs nothing
  --parts LIST     some of ${partNames.join(', ')}
  --servers LIST   some of ${servers.map(({ name }) => name).join(', ')}
  --cases LIST     some of ${cases
    .map(({ name }) => name)
    .join(', ')
    .replace(/(.{60,85},) /g, '$1\n                   ')}

Separate names by commas. Exit codes: 1 for an unexpected answer, 2 for wrong usage.
`;

export interface Options {
  isQuick: boolean;
  /** Whether this is not a whole run. */
  isPartial: boolean;
  parts: readonly PartName[];
  servers: Server[];
  cases: Case[];
  plan: Plan;
}

/** Undefined for --help. @throws UsageError */
export function readOptions(args: string[]): Options | undefined {
  const list = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = { quick: flag, help: flag, parts: list, servers: list, cases: list };
  const { values } = parseArgs({ args, options });
  if (values.help) return undefined;
  const parts = chosen(
    'parts',
    values.parts,
    partNames.map(name => ({ name })),
  );
  return {
    isQuick: values.quick,
    isPartial: [values.quick, values.parts, values.servers, values.cases].some(Boolean),
    parts: parts.map(({ name }) => name),
    servers: chosen('servers', values.servers, servers),
    cases: chosen('cases', values.cases, cases),
    plan: values.quick ? quick : full,
  };
}

/** The items that a list names; all without a list. */
function chosen<Item extends { name: string }>(
  option: string,
  list: string | undefined,
  items: Item[],
): Item[] {
  if (list === undefined) return items;
  const names = list.split(',').map(name => name.trim());
  const unknown = names.find(name => !items.some(item => item.name === name));
  if (unknown === undefined) return items.filter(item => names.includes(item.name));
  throw new UsageError(`--${option}: unknown name ${unknown}`);
}
