import { Files } from '../now/files.tsx';
import { MostRead } from '../now/most-read.tsx';
import { Outcome } from '../now/outcome.tsx';
import { Problems } from '../now/problems.tsx';
import { health, overview } from '../state/served.ts';

/** What is live since when, what became of the last save, and what is wrong with it. */
export function Now() {
  if (!health.value) return null;
  const { last_attempt: attempt, catalogs } = health.value;
  return (
    <>
      <Outcome health={health.value} />
      {attempt && attempt.problems.length > 0 && <Problems {...attempt} />}
      <div class="beside">
        {overview.value && <MostRead news={overview.value.most_read} />}
        {catalogs && <Files files={catalogs.files} />}
      </div>
    </>
  );
}
