import { ChangeList } from './parts/changes.tsx';
import { chosenFiles } from './parts/drop-zone.tsx';
import { Problems } from './parts/problems.tsx';
import { TokenForm } from './parts/token-form.tsx';
import { Sentences, View } from './parts/view.tsx';
import { type Check, check, dropped } from './state/check.ts';
import { hasToken } from './state/token.ts';
import { texts } from './texts.ts';

/** What files would do if they were saved, as the service says. */
export function Try() {
  return (
    <View name="try">
      <p>{texts.tryWhy}</p>
      <p class="drop">
        <label for="files">{texts.tryChoose}</label>
        <input
          id="files"
          type="file"
          multiple
          accept=".json,.csv,.md,.xlsx,.ods"
          onChange={({ currentTarget: { files } }) => (dropped.value = chosenFiles(files ?? []))}
        />
      </p>
      {!hasToken.value && <TokenForm why={texts.tokenToTry} />}
      <div class="result" aria-live="polite">
        {hasToken.value && check.value && <Result check={check.value} />}
      </div>
    </View>
  );
}

function Result({ check }: { check: Check }) {
  if (check.state === 'asking') return <p role="status">{texts.checking}</p>;
  if (check.state === 'failed') return <p class="error">{check.reason || texts.noCheck}</p>;
  const { outcome, verdict, reasons, changes } = check.answer;
  const names = dropped.value.map(({ path }) => path);
  return (
    <>
      <div class="outcome" data-outcome={outcome === 'pinned' ? 'held' : outcome}>
        <h3>{verdict}</h3>
        <p>{texts.dropped(names.slice(0, 10).join(texts.comma))}</p>
        <Sentences all={reasons} />
      </div>
      {check.answer.problems.length > 0 && <Problems {...check.answer} />}
      {changes && changes.pagination.total > 0 && (
        <section aria-labelledby="would-change">
          <h2 id="would-change">{texts.wouldChange}</h2>
          <ChangeList {...changes} />
        </section>
      )}
    </>
  );
}
