/**
 * The proof that replicas count together: three of them count in one Redis, clients read news from them, through nginx
 * where it is installed, and all the while Redis and the connections to it fail in every way, and replicas are stopped
 * and killed. In the end, Redis must hold exactly the reads that were answered, with the exceptions in the manual.
 *
 *   npx tsx scripts/replicas.ts [--rounds N] [--seed N] [--only NAME,…] [--direct]
 *
 * Prints what goes wrong and what has come of it; exits with 1 where that is not what is promised.
 */
import { parseArgs } from 'node:util';
import { type Deployment, startDeployment } from '../test/support/replicas/deployment.ts';
import { aloneFaults, drawBlocks, redisFaults } from '../test/support/replicas/faults/plan.ts';
import { isKept, type Outcome, play } from '../test/support/replicas/faults/play.ts';
import { findProgram } from '../test/support/replicas/find-program.ts';
import { seeded, sum } from '../test/support/replicas/numbers.ts';

const NAMES = [...Object.keys(redisFaults), ...Object.keys(aloneFaults)];
const HELP = `npx tsx scripts/replicas.ts [--rounds N] [--seed N] [--only NAME,…] [--direct]

  --rounds N      how many times all faults happen, in an order by chance (2)
  --seed N        choose the faults of an earlier run again
  --only NAME,…   let only these happen: ${NAMES.join(', ')}
  --direct        ask the replicas in turn, even where nginx is installed
`;

interface Options {
  rounds: number;
  seed: number;
  names: string[] | undefined;
  hasNginx: boolean;
}

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (!options) return void process.stdout.write(HELP);
  const deployment = await startDeployment({
    hasNginx: options.hasNginx,
    settings: { flushIntervalMs: 200 },
  });
  try {
    console.log(
      `three replicas, asked ${options.hasNginx ? 'through nginx' : 'in turn'}, seed ${options.seed}`,
    );
    const isPromised = await breakParts(deployment, options);
    conclude(deployment);
    console.log(`\n${isPromised ? 'this is what is promised' : 'THIS IS NOT WHAT IS PROMISED'}`);
    if (!isPromised) process.exitCode = 1;
  } finally {
    await deployment.stop();
  }
}

function readOptions(args: string[]): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '2' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      only: { type: 'string' },
      direct: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
  const names = values.only?.split(',');
  if (!(rounds > 0) || !Number.isInteger(seed)) throw new Error(`rounds and seed are numbers\n${HELP}`);
  if (names?.some(name => !NAMES.includes(name))) throw new Error(`unknown fault\n${HELP}`);
  const hasNginx = !values.direct && findProgram('nginx') !== undefined;
  return values.help ? undefined : { rounds, seed, names, hasNginx };
}

/** Lets all the faults go wrong so many times, and returns whether what comes of it is what is promised. */
async function breakParts(deployment: Deployment, { rounds, seed, names }: Options): Promise<boolean> {
  let block = 0;
  for (const steps of drawBlocks(seeded(seed), rounds, names)) {
    const outcome = await play(deployment, steps, ({ text }) => {
      console.log(`${(performance.now() / 1000).toFixed(1).padStart(6)}  ${text}`);
    });
    block += 1;
    console.log(`${block}: ${describe(outcome)}`);
    if (!isKept(outcome)) return false;
  }
  return true;
}

function describe({ lost, atRisk, extra, unanswered, faults }: Outcome): string {
  const reads = `${lost} of ${atRisk} reads at risk lost, ${extra} of ${unanswered} without an answer counted`;
  return [reads, ...faults.slice(0, 10)].join('\n');
}

function conclude({ clients, replicas }: Deployment): void {
  const rows: [string, number][] = [
    ...replicas.map(({ name, answered }): [string, number] => [`answered by ${name}`, answered.answers()]),
    ['answered with 200', sum(clients.answered().values())],
    ['turned away by a replica that stops, hence not counted', clients.turnedAway()],
    ['connections refused, hence nothing sent', clients.refused()],
    ['sent again, since Redis lacked it', sum(replicas.map(({ sentAgain }) => sentAgain()))],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, count] of rows) console.log(`${name.padEnd(width)}  ${String(count).padStart(9)}`);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
