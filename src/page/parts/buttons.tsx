import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../state/ask.ts';
import { texts } from '../texts.ts';

/**
 * Does something for good: the first click asks, the second one does it. Then it says what came of it. When the button goes
 * because that is done, the heading of the view has the focus.
 */
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
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      if (current === document.activeElement) document.querySelector<HTMLElement>('main h2')?.focus();
    };
  }, []);
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
        ref={button}
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

/** Copies a text, and says so until the reader goes on. */
export function CopyButton({ text, caption }: { text: string; caption: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => void copy(text).then(() => setCopied(true))}
      onBlur={() => setCopied(false)}
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
