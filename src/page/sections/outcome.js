/** @import { Health } from '../../contract/health.ts' */
import { byId, copyOf, part, setText } from '../elements/dom.js';
import { formatFile, formatMoment, plural } from '../elements/format.js';
import { renderList } from '../elements/render-list.js';

/** @typedef {NonNullable<Health['last_attempt']>} Attempt */
/** @typedef {Attempt['problems'][number]} Problem */
/** @typedef {NonNullable<Problem['also']>} Place */

const outcome = byId('outcome', HTMLElement);
const table = byId('problems', HTMLElement);
const caption = byId('problems-caption', HTMLElement);
const rows = byId('problem-rows', HTMLElement);

/**
 * Shows the outcome of the last change to the files, and its problems.
 *
 * @param {Health} health
 */
export function showOutcome({ last_attempt: attempt, loading }) {
  const checked = attempt ? sentence(attempt) : 'The files have not been checked yet.';
  setText(outcome, loading ? `${checked} ${progressOf(loading)}` : checked);
  outcome.dataset.outcome = attempt?.outcome ?? '';
  const problems = attempt?.problems ?? [];
  renderList(rows, problems, JSON.stringify, rowOf);
  table.hidden = problems.length === 0;
  if (attempt) setText(caption, captionOf(attempt));
}

/** @param {NonNullable<Health['loading']>} loading */
function progressOf({ rows, percent }) {
  return rows === 0
    ? 'Files have changed: waiting until they are complete.'
    : `Now reading the files, ${percent} %.`;
}

/** @param {Attempt} attempt */
function sentence({ outcome, time, changes }) {
  const when = formatMoment(time);
  switch (outcome) {
    case 'loaded':
      return `Loaded on ${when} without errors${changes ? `: ${changes}` : ''}.`;
    case 'unchanged':
      return `Checked on ${when}: nothing new to load.`;
    case 'held':
      return `Held back on ${when}: this change is drastic, so it waits until somebody confirms it.`;
    case 'pending':
      return `Waiting for the rest of a change since ${when}; nothing new is served yet.`;
    case 'failed':
      return `Rejected on ${when}.`;
  }
}

/** @param {Attempt} attempt */
function captionOf({ errors, warnings, problems }) {
  const found = [errors > 0 && plural(errors, 'error'), warnings > 0 && plural(warnings, 'warning')];
  const shown = problems.reduce((sum, { count = 1 }) => sum + count, 0);
  const more = errors + warnings - shown;
  return found.filter(Boolean).join(', ') + (more > 0 ? `; ${more} not shown` : '');
}

/** @param {Problem} problem */
function rowOf(problem) {
  const copy = copyOf('problem');
  const { severity, message, code, also } = problem;
  part(copy, '.severity').dataset.severity = severity;
  setText(part(copy, '.severity'), severity);
  setText(part(copy, '.place'), extentOf(problem));
  setText(part(copy, '.message'), message);
  setText(part(copy, '.code'), code);
  part(copy, '.also').hidden = !also;
  if (also) setText(part(copy, '.also code'), placeOf(also));
  return part(copy, 'tr');
}

/** `E2 to E248 in prices.csv, 221 cells`. @param {Problem} problem */
function extentOf({ count, last, ...first }) {
  if (!count || !last) return placeOf(first);
  const noun = last.cell ? 'cell' : last.row ? 'row' : 'place';
  const [from, to] = [cellOf(first), cellOf(last)];
  const range =
    from && to ? `${from} to ${to} in ${formatFile(first)}` : `${placeOf(first)} to ${placeOf(last)}`;
  return `${range}, ${plural(count, noun)}`;
}

/** As a spreadsheet shows it, `E17 in prices.csv`, or else as compilers write it: `news.json:5:12`. @param {Place} place */
function placeOf(place) {
  const cell = cellOf(place);
  const file = formatFile(place);
  return cell ? `${cell} in ${file}` : [file, place.line, place.column].filter(Boolean).join(':');
}

/** @param {Place} place */
function cellOf({ cell, row }) {
  return cell ?? (row && `row ${row}`);
}
