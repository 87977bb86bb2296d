import { addressOf, type Path, type Query } from '../state/ask.ts';
import { preview } from '../state/preview.ts';
import { texts } from '../texts/texts.ts';

/** The link to the data behind a view. */
export function JsonLink({ path, query }: { path: Path; query?: Query }) {
  // A link cannot carry the token.
  if (preview.value !== '') return null;
  return (
    <p class="note">
      <a href={addressOf(path, query)}>{texts.json}</a>
    </p>
  );
}
