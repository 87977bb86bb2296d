import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { packageVersion } from '../package-version.ts';

/** The format that this version writes, and the newest one that it reads. */
export const FORMAT = 1;
/** A file with a larger format number is broken, not newer. */
const MAX_FORMAT = 999;

export interface StateParser<State> {
  /** @throws Error if the value is not a valid state. */
  parse(value: Record<string, unknown>): State;
  /** Merges two states. Without it, the newer state wins, and a file that somebody edited counts as broken. */
  merge?(one: State, other: State): State;
}

/** A newer version of Vitrine wrote the file. It is not broken, and must not be replaced. */
export class NewerFormatError extends Error {}

/** Formats a state file, with the version that writes it. */
export function formatState(generation: number, state: object): string {
  const values = { version: packageVersion(), ...state };
  const checksum = checksumOf(generation, values);
  return `${JSON.stringify({ format: FORMAT, generation, checksum, ...values }, null, 2)}\n`;
}

/** @throws NewerFormatError, or another Error if the text is not a valid state. `source` names it in errors. */
export function parseState<State>(text: string, source: string, format: StateParser<State>) {
  const { format: number, generation: written, checksum, ...values } = parseObject(text, source);
  if (number !== FORMAT) throw new Error(`expected format ${FORMAT}, got ${JSON.stringify(number)}`);
  const isEdited = checksum !== checksumOf(written, values);
  if (isEdited && !format.merge) throw new Error('its checksum does not match');
  const generation = Number.isSafeInteger(written) ? Number(written) : 0;
  return { state: format.parse(values), generation, isEdited };
}

/** @throws NewerFormatError if the `format` is newer, or another Error if the text is not a JSON object. */
export function parseObject(text: string, source: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('it is not an object');
  const object: Record<string, unknown> = { ...value };
  const { format, version } = object;
  if (Number.isInteger(format) && Number(format) > FORMAT && Number(format) <= MAX_FORMAT) {
    const writer = /^\d[\w.+-]{0,40}$/.test(String(version)) ? `Vitrine ${version}` : 'another version';
    const problem = `has format ${format}, written by ${writer}, but Vitrine ${packageVersion()} reads format ${FORMAT}: use a newer Vitrine`;
    // `/health` shows the cause, which must not name a directory.
    const cause = new Error(`${basename(source)} ${problem}`);
    throw new NewerFormatError(`${source} ${problem}`, { cause });
  }
  return object;
}

/** Hashes all values, so that a later version may add some, but not the text, so that reformatting is not an edit. */
function checksumOf(generation: unknown, values: object): string {
  return hash('sha256', JSON.stringify({ generation, ...values })).slice(0, 16);
}
