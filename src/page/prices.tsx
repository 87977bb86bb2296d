import type { MatrixDuration, MatrixPrice, PriceMatrix } from '../contract/page.ts';
import { formatChange, formatPrice, formatRounded, formatSize } from './format.ts';
import { chosenOf, Pager, Picker, SearchField } from './parts/fields.tsx';
import { Scrolling, View, Waiting } from './parts/view.tsx';
import { query } from './state/address.ts';
import { useAnswer } from './state/ask.ts';
import { overview } from './state/served.ts';
import { texts } from './texts.ts';

const LIMIT = 20;

/** The prices of a product: its configurations down, their durations across. */
export function Prices() {
  if (!overview.value) return <Waiting />;
  const { products } = overview.value;
  const chosen = chosenOf('product', optionsOf(products));
  const product = products.find(({ id }) => String(id) === chosen);
  return (
    <View name="prices">
      <search class="fields">
        <Picker name="product" label={texts.product} options={optionsOf(products)} />
        <SearchField label={texts.searchConfigurations} />
        <Picker name="per" label={texts.show} options={units} />
      </search>
      {product && (
        <>
          <p class="description" dir="auto">
            {product.description}
          </p>
          <ProductPrices product={chosen} />
        </>
      )}
    </View>
  );
}

const units = [
  { value: '', text: texts.price },
  { value: 'month', text: texts.perMonth },
];

function optionsOf(products: readonly { id: number; name: string }[]) {
  return products.map(({ id, name }) => ({ value: String(id), text: name }));
}

function ProductPrices({ product }: { product: string }) {
  const { keyword = '', page = '1' } = query.value;
  const answer = useAnswer('overview/prices', { product_id: product, keyword, page, limit: String(LIMIT) });
  if (!answer) return <Waiting />;
  const { pagination } = answer;
  return (
    <>
      <p class="count" role="status">
        {pagination.total === 0 ? texts.nothingFound : texts.configurations(pagination.total)}
      </p>
      {answer.list.length > 0 && (
        <Scrolling label={texts.configurations(pagination.total)} direction="wide">
          <Matrix {...answer} perMonth={chosenOf('per', units) === 'month'} />
        </Scrolling>
      )}
      <Pager pagination={pagination} limit={LIMIT} />
    </>
  );
}

/** Configurations down, durations across. What the last version changed is marked, with the price before it. */
function Matrix({
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

/** The average length of a Gregorian month in hours: a 400th of 400 years of 365.2425 days, by 12. */
const HOURS_PER_MONTH = (365.2425 * 24) / 12;

const hours = { hour: 1, day: 24, week: 7 * 24, month: HOURS_PER_MONTH, year: 12 * HOURS_PER_MONTH };

/** What turns a price for a duration into one for a month; 1 if the length of the duration is not known. */
function monthlyFactor(duration: MatrixDuration | undefined): number {
  if (duration?.num === undefined || duration.unit === undefined) return 1;
  return HOURS_PER_MONTH / (duration.num * hours[duration.unit]);
}
