import type { Snapshot } from '../catalog/snapshot.ts';
import { oncePerSnapshot } from '../query/once.ts';
import type { Answer, Endpoint } from './answer.ts';
import type { Found } from './endpoint-finder.ts';

/** How much is remembered of a snapshot, in bytes; then all is forgotten. */
const MAX_BYTES = 32 * 2 ** 20;
/** About what is kept of an answer besides its address and its body. */
const ANSWER_BYTES = 2_500;

/** What is known of an address. */
interface Known extends Found {
  /** The last answer. */
  last?: Answer;
}

/**
 * Answers by address, as endpoints do, and remembers of answers that may stay current: which endpoint is meant and what
 * it is asked, the answer as long as it is current, and its body as long as its tag stays the same. It all goes with its
 * snapshot. Undefined where no endpoint is found.
 */
export function rememberingAnswers(
  find: (url: string) => Found | undefined,
): (url: string, snapshot: Snapshot) => ReturnType<Endpoint['answer']> | undefined {
  const memoryOf = oncePerSnapshot(openMemory);

  return (url, snapshot) => {
    const memory = memoryOf(snapshot);
    const known: Known | undefined = memory.known.get(url) ?? find(url);
    if (!known || known.last?.isCurrent?.()) return known?.last;
    const { endpoint, parameters, last } = known;
    const answer = endpoint.answer({ parameters, snapshot, isHead: false });
    if (answer instanceof Promise || !answer.isCurrent) return answer;
    const body = answer.tag === last?.tag ? last?.body : undefined;
    return memory.remember(url, known, { ...answer, body: body ?? memory.madeOnce(answer.body) });
  };
}

function openMemory() {
  const known = new Map<string, Known>();
  let bytes = 0;
  const makeRoom = (more: number) => {
    bytes += more;
    if (bytes <= MAX_BYTES) return;
    known.clear();
    bytes = more;
  };
  return {
    known,
    /** Keeps the answer, and returns it. */
    remember(url: string, { endpoint, parameters }: Found, last: Answer): Answer {
      if (!known.has(url)) makeRoom(url.length + ANSWER_BYTES);
      known.set(url, { endpoint, parameters, last });
      return last;
    },
    /** A body that is made when it is asked for the first time. */
    madeOnce(body: Answer['body']): Answer['body'] {
      let made: Buffer | undefined;
      return () => {
        if (made) return made;
        // In memory of its own: a slice of Node's pool would keep the whole pool.
        made = ownMemory(body());
        makeRoom(made.length);
        return made;
      };
    },
  };
}

function ownMemory(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
