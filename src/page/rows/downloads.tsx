import { addressOf, type Query } from '../state/ask.ts';
import { preview } from '../state/preview.ts';
import { texts } from '../texts/texts.ts';

/** The links to all rows of a query as a file. */
export function Downloads({ query }: { query: Query }) {
  // A link cannot carry the token.
  if (preview.value !== '') return null;
  return (
    <p class="note links">
      <a href={addressOf('overview/rows.csv', query)}>{texts.csv}</a>
      <a href={addressOf('overview/rows.json', query)}>{texts.jsonFile}</a>
    </p>
  );
}
