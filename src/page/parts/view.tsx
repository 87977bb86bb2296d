import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { headings, type ViewName, view } from '../state/address.ts';
import { health } from '../state/served.ts';

export function View({ name, children }: { name: ViewName; children: ComponentChildren }) {
  const heading = headings[name];
  useTitle(heading);
  return (
    <section aria-labelledby={name}>
      <h2 id={name} tabIndex={-1}>
        {heading}
      </h2>
      {children}
    </section>
  );
}

/** Puts the subject of the view into the title of the document; undefined while it is unknown. */
export function useTitle(subject: string | undefined): void {
  useEffect(() => {
    document.title = [subject, subject !== headings[view.value] && headings[view.value], 'Vitrine']
      .filter(Boolean)
      .join(' · ');
  }, [subject, view.value]);
}

/** Stands for what has not arrived yet. The style shows it after a moment. */
export function Waiting() {
  const isNothing = health.value?.catalogs === null;
  return (
    <p class="waiting" role="status">
      {isNothing ? 'Nothing is live yet.' : 'Loading …'}
    </p>
  );
}

/** Times and versions, which must not be broken across lines. */
const WHOLE = /(\d{4}-\d\d-\d\dT[\d:]+Z|\b[\da-f]{12}\b)/;

export function Sentences({ all }: { all: readonly { message: string }[] }) {
  return (
    <ul>
      {all.map(({ message }) => (
        <li key={message}>
          {message
            .split(WHOLE)
            .map((part, place) => (place % 2 ? <span class="whole-word">{part}</span> : part))}
        </li>
      ))}
    </ul>
  );
}

interface ScrollingArea {
  label: string;
  /** A `wide` one is only limited in height if it is very long. */
  direction?: 'bounded' | 'wide';
  children: ComponentChildren;
}

/** A scrolling area. The keyboard reaches it by its label. */
export function Scrolling({ label, direction = 'bounded', children }: ScrollingArea) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard could not scroll
    <section class={direction} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

export function Head({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr>{names.map(name => (name ? <th scope="col">{name}</th> : <td />))}</tr>
    </thead>
  );
}
