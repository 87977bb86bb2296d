import type { Query } from '../state/address.ts';
import { linkToData } from '../state/ask.ts';
import { texts } from '../texts/texts.ts';

/** The links to all rows of a query as a file. */
export function Downloads({ query }: { query: Query }) {
  const [csv, json] = ['csv', 'json'].map(format => linkToData(`overview/rows.${format}`, query));
  return (
    csv &&
    json && (
      <p class="note links">
        <a href={csv}>{texts.csv}</a>
        <a href={json}>{texts.jsonFile}</a>
      </p>
    )
  );
}
