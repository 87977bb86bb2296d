import { parseArgs } from 'node:util';
import { type Case, cases } from './cases.ts';
import { numberFrom, UsageError } from './command-line.ts';
import { full, type Plan, quick } from './plan.ts';
import { type Server, servers } from './servers.ts';

export const partNames = ['requests', 'metrics', 'search', 'start', 'memory', 'reload'] as const;
export type PartName = (typeof partNames)[number];

export const HELP = `npm run bench -- [--quick] [--parts LIST] [--sizes LIST] [--servers LIST] [--cases LIST]
                 [--rounds N] [--out DIR]

Measures Vitrine beside others: CPU time, rate and latency of requests, and of Vitrine by itself what metrics cost, the
search, the start, the memory and reloads under load. Without options it takes 20 minutes, installs the other servers
where they are missing, and writes results.json, results.svg and results.md, which the README quotes, to scripts/bench.
Everything else writes them to a new folder.

  --quick          less of everything and nothing is installed: within a minute, and rough
  --parts LIST     some of ${partNames.join(', ')}
  --sizes LIST     how many news and prices the catalogs have, such as 1000,10000
  --servers LIST   some of ${servers.map(({ name }) => name).join(', ')}
  --cases LIST     some of ${inLines(cases.map(({ name }) => name))}
  --rounds N       how often each server is measured in each case
  --out DIR        where the results are written to

LIST is divided by commas. The exit code is 1 where an answer was not as expected, and 2 for wrong usage.
`;

/** What a run measures. */
export interface Options {
  isQuick: boolean;
  /** Whether something is left out by choice. */
  isPartial: boolean;
  parts: PartName[];
  servers: Server[];
  cases: Case[];
  plan: Plan;
  out: string | undefined;
}

/** Undefined where help is asked for. @throws where the arguments make no sense. */
export function readOptions(args: string[]): Options | undefined {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    ...{ quick: flag, help: flag, out: text, rounds: text },
    ...{ parts: text, sizes: text, servers: text, cases: text },
  };
  const { values } = parseArgs({ args, options });
  if (values.help) return undefined;
  const plan = values.quick ? quick : full;
  const { parts, sizes, rounds } = values;
  return {
    isQuick: values.quick,
    isPartial: [values.quick, parts, sizes, values.servers, values.cases, rounds].some(Boolean),
    parts: chosen('parts', parts, [...partNames], name => name),
    servers: chosen('servers', values.servers, servers, ({ name }) => name),
    cases: chosen('cases', values.cases, cases, ({ name }) => name),
    plan: {
      ...plan,
      sizes: sizes?.split(',').map(size => sizeFrom(size)) ?? plan.sizes,
      rounds: rounds === undefined ? plan.rounds : numberFrom('rounds', rounds),
    },
    out: values.out,
  };
}

/** Fewer than a hundred would not fill the longest page. */
function sizeFrom(text: string): number {
  const size = numberFrom('sizes', text);
  if (size < 100 || size > 150_000) throw new UsageError(`--sizes are from 100 to 150,000, and not ${text}`);
  return size;
}

/** Those of a list that are named, or all. */
function chosen<Item>(
  option: string,
  list: string | undefined,
  items: Item[],
  nameOf: (item: Item) => string,
) {
  if (list === undefined) return items;
  const names = list.split(',').map(name => name.trim());
  const unknown = names.find(name => !items.some(item => nameOf(item) === name));
  if (unknown === undefined) return items.filter(item => names.includes(nameOf(item)));
  throw new UsageError(`--${option} has no ${unknown}: there are ${items.map(nameOf).join(', ')}`);
}

function inLines(names: string[]): string {
  return names.join(', ').replace(/(.{60,85},) /g, '$1\n                   ');
}
