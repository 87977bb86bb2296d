import type { Query } from '../state/address.ts';
import { linkToData, type Path } from '../state/ask.ts';
import { texts } from '../texts/texts.ts';

/** The link to the data behind a view. */
export function JsonLink({ path, query = {} }: { path: Path; query?: Query }) {
  const link = linkToData(path, query);
  return (
    link && (
      <p class="note">
        <a href={link}>{texts.json}</a>
      </p>
    )
  );
}
