import type { WriteStream } from 'node:tty';
import { canErase } from './terminal.ts';

/** A line of a terminal that each text replaces. An empty text erases it. */
export function openProgressLine(stream: Pick<WriteStream, 'isTTY' | 'write'>): (text: string) => void {
  let width = 0;
  return text => {
    if (!stream.isTTY || !canErase) return;
    stream.write(`\r${text.padEnd(width)}${text === '' ? '\r' : ''}`);
    width = text.length;
  };
}
