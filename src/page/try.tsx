import { formatPercent } from './format.ts';
import { chosenFiles } from './parts/drop-zone.tsx';
import { Problems } from './parts/problems.tsx';
import { Scrolling } from './parts/scrolling.tsx';
import { areShown, type Check, check, checkDropped } from './state/dropped.ts';
import { texts } from './texts.ts';

/** What files would do if they were saved: checked in the browser, by the code that the service reads them with. */
export function Try() {
  return (
    <section aria-labelledby="try">
      <h2 id="try">{texts.views.try}</h2>
      <p>{texts.tryWhy}</p>
      <p class="drop">
        <label for="files">{texts.tryChoose}</label>
        <input
          id="files"
          type="file"
          multiple
          accept=".json,.csv,.md,.xlsx,.ods"
          onChange={({ currentTarget: { files } }) => void chosenFiles(files ?? []).then(checkDropped)}
        />
      </p>
      <div aria-live="polite">{check.value && <Result check={check.value} />}</div>
    </section>
  );
}

function Result({ check }: { check: Check }) {
  if (check.state === 'reading') return <p>{texts.reading(formatPercent(check.percent))}</p>;
  if (check.state === 'failed') return <p class="error">{check.reason}</p>;
  const { report, names } = check;
  const { json, against, ok, fromService } = report;
  return (
    <>
      <div class="outcome" data-outcome={ok ? 'loaded' : 'failed'}>
        <h3>{ok ? texts.wouldLoad : texts.wouldFail(texts.errors(json.errors))}</h3>
        <p>{texts.dropped(names.slice(0, 10).join(texts.comma))}</p>
        {fromService.length > 0 && (
          <p>{texts.fromService(fromService.map(name => texts.catalogNames[name]).join(texts.comma))}</p>
        )}
        {against && <p>{against.summary}</p>}
      </div>
      {ok && (
        <p>
          <button type="button" onClick={() => (areShown.value = !areShown.value)}>
            {areShown.value ? texts.previewEnd : texts.showDropped}
          </button>
        </p>
      )}
      {json.problems.length > 0 && <Problems {...json} />}
      {against && <Output title={texts.wouldChange} text={against.lines} />}
      <Output title={texts.checkOutput} text={report.text} />
    </>
  );
}

function Output({ title, text }: { title: string; text: string }) {
  if (text === '') return null;
  return (
    <details>
      <summary>{title}</summary>
      <Scrolling label={title}>
        <pre>{text}</pre>
      </Scrolling>
    </details>
  );
}
