import { locale } from './texts.ts';

/** A formatter of times. */
export function timesAs(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  return onDemand(() => new Intl.DateTimeFormat(locale, options));
}

/** A formatter of numbers. */
export function numbersAs(options: Intl.NumberFormatOptions): () => Intl.NumberFormat {
  return onDemand(() => new Intl.NumberFormat(locale, options));
}

/** The first formatter that a page makes takes as long as the rest of its start, so none is made before it is needed. */
function onDemand<Value extends object>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
