import { useRef, useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';

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
