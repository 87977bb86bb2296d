import { ConfirmButton } from '../parts/confirm-button.tsx';
import { linkTo } from '../state/address.ts';
import { control } from '../state/ask.ts';
import { texts } from '../texts/texts.ts';

/** What can be done, with the token, with a version that is held back. */
export function HeldActions({ version }: { version: string }) {
  return (
    <p>
      <ConfirmButton caption={texts.publish} act={() => control(`${version}/publish`)} />
      <a href={linkTo('history', { from: 'served', to: 'held' })}>{texts.compare}</a>
    </p>
  );
}
