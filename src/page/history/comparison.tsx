import { Picker } from '../parts/picker.tsx';
import { linkTo, query } from '../state/address.ts';
import { useAnswer } from '../state/use-answer.ts';
import { formatMoment } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { ChangeList } from './change-list.tsx';

const LIMIT = 10;

/** The changes between any two versions. */
export function Comparison() {
  const { from = 'served', to = 'served', page = '1' } = query.value;
  const versions = useAnswer('history', { limit: '100' });
  const answer = useAnswer('history/changes', { from, to, page, limit: String(LIMIT) });
  const options = [
    { value: 'served', text: texts.servedSide },
    ...(versions?.held ? [{ value: 'held', text: texts.heldSide }] : []),
    ...(versions?.list ?? []).map(({ version, since }) => ({
      value: version,
      text: `${version}, ${formatMoment(since)}`,
    })),
  ];
  return (
    <>
      <p>
        <a href={linkTo('history')}>{texts.versions}</a>
      </p>
      <p class="fields">
        <Picker name="from" label={texts.from} options={options} />
        <Picker name="to" label={texts.to} options={options} />
      </p>
      {answer && <ChangeList {...answer} limit={LIMIT} />}
    </>
  );
}
