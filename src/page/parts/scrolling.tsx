import type { ComponentChildren } from 'preact';

/** What scrolls in itself: a long content in its height, or a `wide` one in its width and only if it is very long in its height. The keyboard reaches it by its label. */
export function Scrolling({
  label,
  direction = 'bounded',
  children,
}: {
  label: string;
  direction?: 'bounded' | 'wide';
  children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard could not scroll
    <section class={direction} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
