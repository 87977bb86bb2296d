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
