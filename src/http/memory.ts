import type { Snapshot } from '../catalog/snapshot.ts';
import { oncePerSnapshot } from '../query/once.ts';
import type { Answer, Endpoint } from './answer.ts';
import type { Found } from './endpoint-finder.ts';

/** How many addresses are remembered, and how many bytes of them and of bodies; then all are forgotten. */
const MAX_ADDRESSES = 2 ** 14;
const MAX_BYTES = 16 * 2 ** 20;

/** What is known of an address. */
interface Known extends Found {
  /** The last answer, of those that have a tag; its body is made once. */
  answer?: Answer;
}

/**
 * Answers by address, as endpoints do, and remembers: which endpoint is meant and what it is asked, and the body, as
 * long as its tag stays the same. It all goes with its snapshot. Undefined where no endpoint is found.
 */
export function rememberingAnswers(
  find: (url: string) => Found | undefined,
): (url: string, snapshot: Snapshot) => ReturnType<Endpoint['answer']> | undefined {
  const memoryOf = oncePerSnapshot(openMemory);

  return (url, snapshot) => {
    const memory = memoryOf(snapshot);
    const known: Known | undefined = memory.known.get(url) ?? find(url);
    if (!known) return undefined;
    const { endpoint, parameters, answer: last } = known;
    if (last && endpoint.isFixed) return last;
    const answer = endpoint.answer({ parameters, snapshot, isHead: false });
    if (answer instanceof Promise || answer.tag === undefined) return answer;
    if (last?.tag === answer.tag) return last;
    return memory.remember(url, known, answer);
  };
}

function openMemory() {
  const known = new Map<string, Known>();
  let bytes = 0;
  const makeRoom = (more: number) => {
    bytes += more;
    if (bytes <= MAX_BYTES && known.size < MAX_ADDRESSES) return;
    known.clear();
    bytes = 0;
  };
  return {
    known,
    /** An answer like this one, whose body is made once. */
    remember(url: string, { endpoint, parameters }: Found, { tag = '', body }: Answer): Answer {
      let made: Buffer | undefined;
      const answer = {
        tag,
        body() {
          if (made) return made;
          made = body();
          makeRoom(made.length);
          return made;
        },
      };
      makeRoom(url.length);
      known.set(url, { endpoint, parameters, answer });
      return answer;
    },
  };
}
