import { useRef, useState } from 'preact/hooks';
import type { Query } from '../state/address.ts';
import { linkToData, type Path, Refusal } from '../state/ask.ts';
import { texts } from '../texts.ts';

/** Does something for good: the first click asks, the second one does it. Then it says what came of it. */
export function ConfirmButton({
  caption,
  label,
  act,
}: {
  caption: string;
  label?: string;
  act: () => Promise<unknown>;
}) {
  const [isAsking, setAsking] = useState(false);
  const [outcome, setOutcome] = useState('');
  const click = async () => {
    setAsking(!isAsking);
    if (!isAsking) return;
    try {
      await act();
      setOutcome(texts.done);
    } catch (error) {
      setOutcome(error instanceof Refusal ? error.message : texts.noAnswer);
    }
  };
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-label={isAsking ? undefined : label}
        onClick={() => void click()}
        onBlur={() => setAsking(false)}
      >
        {isAsking ? texts.sure : caption}
      </button>
      <span role="status">{outcome}</span>
    </>
  );
}

/** How long the button says that it has copied, in milliseconds. */
const SHOWN_MS = 2_000;

/** Copies a text. `label` is what screen readers say of it, if that is more than the button shows. */
export function CopyButton({ text, caption, label }: { text: string; caption: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef(0);
  const copyNow = async () => {
    await copy(text);
    setCopied(true);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button
      type="button"
      class="quiet"
      aria-label={isCopied ? undefined : label}
      onClick={() => void copyNow()}
    >
      {isCopied ? texts.copied : caption}
    </button>
  );
}

/** Browsers have a clipboard only for pages that come over TLS or from the same machine. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** The link to the data behind a view. */
export function JsonLink({ path, query = {} }: { path: Path; query?: Query }) {
  return (
    <p class="note">
      <a href={linkToData(path, query)}>{texts.json}</a>
    </p>
  );
}
