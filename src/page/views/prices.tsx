import { JsonLink } from '../parts/json-link.tsx';
import { Pager } from '../parts/pager.tsx';
import { chosenOf, Picker } from '../parts/picker.tsx';
import { Scrolling } from '../parts/scrolling.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { Matrix } from '../prices/matrix.tsx';
import { query } from '../state/address.ts';
import { overview } from '../state/served.ts';
import { useAnswer } from '../state/use-answer.ts';
import { texts } from '../texts/texts.ts';

const LIMIT = 20;

/** The prices of a product: its configurations down, their durations across. */
export function Prices() {
  if (!overview.value) return <p>{texts.nothingServed}</p>;
  const { products } = overview.value;
  const chosen = chosenOf('product', optionsOf(products));
  const product = products.find(({ id }) => String(id) === chosen);
  return (
    <section aria-labelledby="prices">
      <h2 id="prices">{texts.views.prices}</h2>
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
    </section>
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
  const asked = { product_id: product, keyword, page, limit: String(LIMIT) };
  const answer = useAnswer('overview/prices', asked);
  if (!answer) return null;
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
      <JsonLink path="overview/prices" query={asked} />
    </>
  );
}
