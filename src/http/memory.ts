import type { Snapshot } from '../catalog/snapshot.ts';
import { oncePerSnapshot } from '../query/once.ts';
import type { Answer, Endpoint } from './answer.ts';
import type { Found } from './endpoint-finder.ts';

/** How much is remembered of a snapshot, in bytes; then all is forgotten. */
const MAX_BYTES = 16 * 2 ** 20;
/** About what is kept of an answer besides its address and its body. */
const ANSWER_BYTES = 1_000;

/** What is known of an address. */
interface Known extends Found {
  /** The last answer, of those that have a tag. */
  last?: Answer;
}

/**
 * Answers by address, as endpoints do, and remembers: which endpoint is meant and what it is asked, the answer as long
 * as it is current, and its body as long as its tag stays the same. It all goes with its snapshot. Undefined where no
 * endpoint is found.
 */
export function rememberingAnswers(
  find: (url: string) => Found | undefined,
): (url: string, snapshot: Snapshot) => ReturnType<Endpoint['answer']> | undefined {
  const memoryOf = oncePerSnapshot(() => openMemory(find));

  return (url, snapshot) => {
    const memory = memoryOf(snapshot);
    const known = memory.recall(url);
    if (!known || known.last?.isCurrent?.()) return known?.last;
    const { endpoint, parameters, last } = known;
    const answer = endpoint.answer({ parameters, snapshot, isHead: false });
    if (answer instanceof Promise || answer.tag === undefined) return answer;
    known.last = { ...answer, body: answer.tag === last?.tag ? last.body : memory.madeOnce(answer.body) };
    return known.last;
  };
}

function openMemory(find: (url: string) => Found | undefined) {
  const known = new Map<string, Known>();
  let bytes = 0;
  const makeRoom = (more: number) => {
    bytes += more;
    if (bytes <= MAX_BYTES) return;
    known.clear();
    bytes = more;
  };
  return {
    /** What is known of an address, and found if need be. */
    recall(url: string): Known | undefined {
      const recalled = known.get(url);
      if (recalled) return recalled;
      const found = find(url);
      if (!found) return undefined;
      makeRoom(url.length + ANSWER_BYTES);
      known.set(url, found);
      return found;
    },
    /** A body that is made when it is asked for the first time. */
    madeOnce(body: Answer['body']): Answer['body'] {
      let made: Buffer | undefined;
      return () => {
        if (made) return made;
        made = body();
        makeRoom(made.length);
        return made;
      };
    },
  };
}
