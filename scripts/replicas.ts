/**
 * The proof that replicas count together: three of them count in one Redis, clients read news from them, through nginx
 * where it is installed, and all the while Redis loses its power and freezes, and replicas are stopped and killed. In
 * the end every answer has to be stored, and nothing else, as far as it is promised.
 *
 *   npx tsx scripts/replicas.ts [--rounds N] [--seconds N] [--direct]
 *
 * Prints what goes wrong and what has come of it; exits with 1 where that is not what is promised.
 */
import { parseArgs } from 'node:util';
import { type Deployment, lostAndExtra, startDeployment } from '../test/support/replicas/deployment.ts';
import { crash, freeze, kill, losePower, stop } from '../test/support/replicas/faults.ts';
import { findProgram } from '../test/support/replicas/find-program.ts';
import { aWhile, pick, sum } from '../test/support/replicas/numbers.ts';

const HELP = `npx tsx scripts/replicas.ts [--rounds N] [--seconds N] [--direct]

  --rounds N    how many things go wrong, one after the other (20)
  --seconds N   for how many seconds at most all is well before each (2)
  --direct      ask the replicas in turn, even where nginx is installed
`;

const faults = [losePower, stop, freeze, kill, crash];

interface Options {
  rounds: number;
  seconds: number;
  hasNginx: boolean;
}

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (!options) return void process.stdout.write(HELP);
  const { rounds, seconds, hasNginx } = options;
  const deployment = await startDeployment({ hasNginx });
  try {
    console.log(`three replicas, asked ${hasNginx ? 'through nginx' : 'in turn'}`);
    const atRisk = await breakParts(deployment, rounds, seconds * 1000);
    await deployment.settle();
    if (!(await conclude(deployment, atRisk))) process.exitCode = 1;
  } finally {
    await deployment.stop();
  }
}

function readOptions(args: string[]): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '2' },
      direct: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  if (!(rounds > 0) || !(seconds >= 0)) throw new Error(`rounds and seconds are numbers\n${HELP}`);
  const hasNginx = !values.direct && findProgram('nginx') !== undefined;
  return values.help ? undefined : { rounds, seconds, hasNginx };
}

/** Lets one thing after the other go wrong, and returns how many answered reads that may have cost. */
async function breakParts(deployment: Deployment, rounds: number, ms: number): Promise<number> {
  let all = 0;
  deployment.clients.resume();
  for (let round = 0; round < rounds; round += 1) {
    await aWhile(ms);
    const fault = faults[round % faults.length] ?? losePower;
    const { text, atRisk } = await fault(deployment, pick(deployment.replicas));
    all += atRisk;
    const answers = sum(deployment.clients.answered().values());
    console.log(`${String(round + 1).padStart(3)}  ${text}; ${answers} answers so far`);
  }
  await aWhile(ms);
  return all;
}

/** Prints what has come of it, and returns whether that is what is promised. */
async function conclude(
  { clients, replicas, stored, differences }: Deployment,
  atRisk: number,
): Promise<boolean> {
  const { lost, extra } = lostAndExtra(await differences());
  const rows: [string, number][] = [
    ...replicas.map(({ name, answered }): [string, number] => [`answered by ${name}`, answered.answers()]),
    ['answered with 200', sum(clients.answered().values())],
    ['stored above the floors', sum((await stored()).values())],
    ['answered and not stored', lost],
    ['  may be, for replicas were killed', atRisk],
    ['stored and not answered', extra],
    ['  may be: requests without an answer', clients.unanswered()],
    ['turned away by a replica that stops, hence not counted', clients.turnedAway()],
    ['connections refused, hence nothing sent', clients.refused()],
    ['batches that Redis lost and was sent again', sum(replicas.map(({ sentAgain }) => sentAgain()))],
    ['other answers than 200', clients.faults().length],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  console.log(
    `\n${rows.map(([name, count]) => `${name.padEnd(width)}  ${String(count).padStart(9)}`).join('\n')}`,
  );
  for (const fault of clients.faults().slice(0, 10)) console.log(fault);
  const isKept = lost <= atRisk && extra <= clients.unanswered() && clients.faults().length === 0;
  console.log(`\n${isKept ? 'this is what is promised' : 'THIS IS NOT WHAT IS PROMISED'}`);
  return isKept;
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
