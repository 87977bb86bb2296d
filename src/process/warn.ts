import { printable } from '../messages.ts';

/** Writes a sentence for the operator to standard error. */
export function warn(sentence: string): void {
  process.stderr.write(`${printable(sentence)}\n`);
}
