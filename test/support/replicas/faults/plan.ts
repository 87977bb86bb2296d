import { fork, pick, type Random, shuffle } from '../numbers.ts';
import * as data from './data.ts';
import * as failovers from './failover.ts';
import type { Fault } from './fault.ts';
import * as network from './network.ts';
import { emptyWhileIdle, kill, killWell, stop } from './process.ts';
import * as server from './server.ts';

/** What goes wrong with Redis, or on the way to it, by name. */
export const redisFaults: Readonly<Record<string, Fault>> = { ...server, ...network, ...data, ...failovers };

/** What goes wrong while nothing else does, by name. */
export const aloneFaults: Readonly<Record<string, Fault>> = { killWell, emptyWhileIdle };

/** How many faults of a process there are for each of Redis. */
const PROCESS_FAULTS = 0.35;

export interface Step {
  fault: Fault;
  /** Which replica, if it happens at one. */
  replica: number;
  random: Random;
  /** `redis`: one after the other; `process`: meanwhile; `alone`: when the others are over. */
  kind: 'redis' | 'process' | 'alone';
}

/** Losses after which each replica has to find out by itself, as its connection stays. */
const quietNames = ['loseKeys', 'loseFields', 'flush'];

/**
 * Draws blocks of faults: strict ones and others in turn, and after each a quiet loss, which no later fault makes good.
 */
export function* drawBlocks(random: Random, rounds: number, names?: string[]): Generator<Step[]> {
  for (let round = 0; round < rounds; round += 1) {
    yield drawBlock(random, round % 2 === 0, names);
    if (!names) yield drawBlock(random, true, [pick(quietNames, random)]);
  }
}

/**
 * Draws the faults of a block, in which every fault of Redis (or of these names) happens once. In a `strict` block,
 * nothing may be lost; in others, processes are killed while Redis fails, which may cost what they had not saved.
 */
function drawBlock(random: Random, isStrict: boolean, names?: string[]): Step[] {
  const draw = (kind: Step['kind'], fault: Fault): Step => ({
    kind,
    fault,
    replica: Math.floor(random() * 3),
    random: fork(random),
  });
  const alone = isStrict ? [pick(['killWell', 'killWell', 'emptyWhileIdle'], random)] : [];
  const drawn = shuffle(names ?? [...Object.keys(redisFaults), ...alone], random);
  return drawn.flatMap(name => {
    if (aloneFaults[name]) return [draw('alone', aloneFaults[name])];
    const fault = redisFaults[name];
    if (!fault) throw new Error(`unknown fault: ${name}`);
    const process = isStrict ? stop : pick([kill, kill, stop], random);
    return [...(random() < PROCESS_FAULTS ? [draw('process', process)] : []), draw('redis', fault)];
  });
}
