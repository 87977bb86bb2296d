import { Refusal } from './ask.js';
import { byId, setText } from './dom.js';
import { formatClock } from './forms.js';

const banner = byId('away', HTMLElement);
/** @type {Date | undefined} */
let since;

/**
 * Does something that asks the service. Where there is no answer, the page says so, and since when, until there is one
 * again.
 *
 * @param {() => Promise<void>} task
 */
export async function attempt(task) {
  try {
    await task();
    since = undefined;
    setText(banner, '');
  } catch (error) {
    since ??= new Date();
    setText(banner, `${reasonOf(error)} since ${formatClock(since)}. What is shown was true until then.`);
  }
}

/** @param {unknown} error */
function reasonOf(error) {
  return error instanceof Refusal
    ? `The service refuses to answer (${error.message})`
    : 'The service has not answered';
}
