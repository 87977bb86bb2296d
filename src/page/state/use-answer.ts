import { useEffect, useState } from 'preact/hooks';
import type { Query } from './address.ts';
import { type Answers, ask, type Path } from './ask.ts';
import { attempt } from './away.ts';
import { revision } from './served.ts';

/**
 * The data of a query; undefined until the first answer. It is asked for again when the query changes, and when the service
 * may answer otherwise. In the meantime, the earlier data stays. A late answer to an earlier query is dropped.
 */
export function useAnswer<P extends Path>(path: P, query: Query, instant?: string): Answers[P] | undefined {
  const [answer, setAnswer] = useState<Answers[P] | undefined>();
  const key = JSON.stringify(query);
  const now = revision.value;
  // The key stands for the query, and `now` for what the service may answer otherwise.
  useEffect(() => {
    if (now === 0) return;
    let isCurrent = true;
    void attempt(async () => {
      const data = await ask(path, query, instant);
      if (isCurrent) setAnswer(() => data);
    });
    return () => {
      isCurrent = false;
    };
  }, [path, key, now, instant]);
  return answer;
}
