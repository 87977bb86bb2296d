import type { MatrixPrice, PriceMatrix } from '../contract/overview.ts';
import { formatChange, formatFields, formatMoment, formatPrice, formatSize, plural } from './format.ts';
import { chosenOf, Pager, Picker, SearchField } from './parts/fields.tsx';
import { Head, Scrolling, View, Waiting } from './parts/view.tsx';
import { query } from './state/address.ts';
import { useAnswer, useInstant } from './state/ask.ts';
import { overview } from './state/served.ts';

const LIMIT = 20;

export function Prices() {
  if (!overview.value) return <Waiting />;
  const { products } = overview.value;
  const options = products.map(({ id, name }) => ({ value: String(id), text: name }));
  const chosen = chosenOf('product', options);
  const product = products.find(({ id }) => String(id) === chosen);
  return (
    <View name="prices">
      <search class="fields">
        <Picker name="product" label="Product" options={options} />
        <SearchField label="Name of the configuration" />
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

function ProductPrices({ product }: { product: string }) {
  const { keyword = '', page = '1' } = query.value;
  const asked = { product_id: product, keyword, page, limit: String(LIMIT) };
  const answer = useAnswer('overview/prices', asked, useInstant());
  if (!answer) return <Waiting />;
  const { pagination } = answer;
  return (
    <>
      <p class="count" role="status">
        {pagination.total === 0 ? 'Nothing found.' : plural(pagination.total, 'configuration')}
      </p>
      {answer.list.length > 0 && (
        <Scrolling label={plural(pagination.total, 'configuration')} direction="wide">
          <Matrix {...answer} />
        </Scrolling>
      )}
      <Pager pagination={pagination} limit={LIMIT} />
    </>
  );
}

/** Configurations down, durations across. Marks what the last version changed, with the former price. */
function Matrix({ durations, list }: Pick<PriceMatrix, 'durations' | 'list'>) {
  const names = durations.map(({ duration_id, name }) => name ?? `Duration ${duration_id}`);
  return (
    <table class="matrix" aria-labelledby="prices">
      <Head names={['Configuration', ...names]} />
      <tbody>
        {list.map(({ id, name, cpu, memory, prices, change, extra }) => (
          <tr key={id}>
            <th scope="row">
              <span dir="auto" class={change && 'changed'}>
                {name}
              </span>{' '}
              <small>{formatSize({ cpu, memory })}</small>
              {extra && <small dir="auto">{formatFields(extra)}</small>}
            </th>
            {durations.map((duration, place) => (
              <td key={duration.duration_id} data-label={names[place]}>
                <PriceOf cell={prices[duration.duration_id]} />
                <Next {...prices[duration.duration_id]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** In a preview, the next price. */
function Next({ next }: Pick<Partial<MatrixPrice>, 'next'>) {
  if (!next) return null;
  const time = formatMoment(new Date(next.time * 1000));
  return (
    <small>
      from {time}: {next.price === null ? 'no price' : formatPrice(next.price)}
    </small>
  );
}

/** A price, with the former one if the last version changed it. */
function PriceOf({ cell }: { cell: MatrixPrice | undefined }) {
  if (!cell || (cell.price === null && cell.next)) {
    return (
      <span class="none">
        <span aria-hidden="true">–</span>
        <span class="unseen">no price</span>
      </span>
    );
  }
  const { price, was, percent } = cell;
  if (price === null) return <span class="changed">gone</span>;
  if (was === undefined) return <>{formatPrice(price)}</>;
  return (
    <span class="changed">
      {formatPrice(price)}
      <small>
        {was === null ? 'new' : `before ${formatPrice(was)}`}
        {percent !== undefined && ` (${formatChange(percent)})`}
      </small>
    </span>
  );
}
