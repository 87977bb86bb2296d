import type { MatrixDuration, MatrixPrice, PriceMatrix } from '../../contract/page.ts';
import { formatChange, formatPrice, formatRounded, formatSize } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { monthlyFactor } from './monthly.ts';

/** Configurations down, durations across. What the last version changed is marked, with the price before it. */
export function Matrix({
  durations,
  list,
  perMonth,
}: Pick<PriceMatrix, 'durations' | 'list'> & { perMonth: boolean }) {
  const names = durations.map(({ duration_id, name }) => name ?? texts.duration(duration_id));
  return (
    <table class="matrix" aria-labelledby="prices">
      <thead>
        <tr>
          <th scope="col">{texts.configuration}</th>
          {names.map(name => (
            <th key={name} scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {list.map(({ id, name, cpu, memory, prices, change }) => (
          <tr key={id}>
            <th scope="row">
              <span dir="auto" class={change && 'changed'}>
                {name}
              </span>{' '}
              <small>{formatSize({ cpu, memory })}</small>
            </th>
            {prices.map((cell, place) => (
              <td key={durations[place]?.duration_id} class="number" data-label={names[place]}>
                <PriceOf cell={cell} format={perMonth ? monthly(durations[place]) : formatPrice} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Writes a price for a duration as one for a month. */
function monthly(duration: MatrixDuration | undefined): (price: number) => string {
  const factor = monthlyFactor(duration);
  return price => formatRounded(price * factor);
}

/** A price, and what it was before the last version if that changed it. */
function PriceOf({ cell, format }: { cell: MatrixPrice; format: (price: number) => string }) {
  if (cell === null) {
    return (
      <span class="none">
        <span aria-hidden="true">–</span>
        <span class="unseen">{texts.noPrice}</span>
      </span>
    );
  }
  const { price, was, percent } = cell;
  if (price === null) return <span class="changed">{texts.removedPrice}</span>;
  if (was === undefined) return <>{format(price)}</>;
  return (
    <span class="changed">
      {format(price)}
      <small>
        {was === null ? texts.newPrice : texts.before(format(was))}
        {percent !== undefined && ` (${formatChange(percent)})`}
      </small>
    </span>
  );
}
