import { Refusal } from './ask.js';
import { byId, setText } from './elements/dom.js';
import { formatClock } from './elements/format.js';

const banner = byId('away', HTMLElement);
/** @type {Date | undefined} */
let since;

/**
 * Runs a task that queries the service. If it fails, the page says so, and since when, until a task succeeds.
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
    setText(banner, `${reasonOf(error)} since ${formatClock(since)}. This page shows the state before that.`);
  }
}

/** @param {unknown} error */
function reasonOf(error) {
  return error instanceof Refusal
    ? `The service has refused requests (${error.message})`
    : 'The service has not answered';
}
