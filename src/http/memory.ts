import type { Snapshot } from '../catalog/snapshot.ts';
import { oncePerSnapshot } from '../query/once.ts';
import type { Answer, Body, Endpoint } from './answer.ts';
import { openBoundedMap } from './bounded-map.ts';
import type { Found } from './endpoint-finder.ts';

/** How much is remembered of a snapshot at least before all is forgotten, in bytes. */
const LEAST_BYTES = 32 * 2 ** 20;
/** And how many times what its news take, so that all their pages find room. */
const TIMES_NEWS = 1.25;
/** About what is kept of an answer besides its address and its body. */
const ANSWER_BYTES = 2_500;

/** What is known of an address. */
interface Known extends Found {
  /** The last answer. */
  last?: Answer;
}

/** What is answered, and by which endpoint. */
export interface Answered {
  endpoint: Endpoint;
  answer: ReturnType<Endpoint['answer']>;
}

/**
 * Answers by address, as endpoints do. Where an answer can tell whether it is current, it is remembered which endpoint
 * is meant and what it is asked, the answer as long as it is current, and its body as long as its tag stays the same. It
 * all goes with its snapshot. Undefined where no endpoint is found.
 */
export function rememberingAnswers(
  find: (url: string) => Found | undefined,
): (url: string, snapshot: Snapshot) => Answered | undefined {
  const memoryOf = oncePerSnapshot(({ news }) =>
    openBoundedMap<string, Known>(Math.max(LEAST_BYTES, news.json.length * TIMES_NEWS)),
  );

  return (url, snapshot) => {
    const memory = memoryOf(snapshot);
    const known = memory.get(url);
    if (known?.last?.isCurrent?.()) return { endpoint: known.endpoint, answer: known.last };
    const found = known ?? find(url);
    if (!found) return undefined;
    const { endpoint, parameters } = found;
    const answer = endpoint.answer({ parameters, snapshot, isHead: false });
    if (answer instanceof Promise || !answer.isCurrent) return { endpoint, answer };
    const question: Known = known ?? { ...found };
    if (!known) memory.set(url, question, url.length + ANSWER_BYTES);
    if (answer.tag === undefined) return { endpoint, answer };
    const { last } = question;
    const body = answer.tag === last?.tag ? last.body : madeOnce(answer.body, memory.grow);
    question.last = { ...answer, body };
    return { endpoint, answer: question.last };
  };
}

/** A body that is made when it is asked for the first time; `grow` hears of its bytes. */
function madeOnce(body: Answer['body'], grow: (bytes: number) => void): Answer['body'] {
  let made: Body | undefined;
  return () => {
    if (made !== undefined) return made;
    made = inOwnMemory(body());
    grow(made.length);
    return made;
  };
}

/** A slice of Node's pool would keep the whole pool. */
function inOwnMemory(body: Body): Body {
  if (typeof body === 'string' || body.buffer.byteLength !== Buffer.poolSize) return body;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return own;
}
