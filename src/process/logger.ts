import { isatty } from 'node:tty';
import { type Logger, pino } from 'pino';
import { escapeInvisible } from '../messages.ts';
import { openTerminalFormat } from './terminal.ts';

/** Whether people, not programs, read the log. */
export const isTerminal = isatty(1);

/**
 * The log on standard output: text on a terminal, lines of JSON elsewhere. Invisible characters are escaped in JSON, too,
 * so that no header and no file can control the terminal that shows the log. A thread of libuv's pool writes the lines,
 * or with `sync` the call itself.
 */
export function openLogger(level: string, sync = false): Logger {
  const streamWrite = isTerminal ? openTerminalFormat() : jsonLine;
  return pino({ level, hooks: { streamWrite } }, pino.destination({ dest: 1, sync }));
}

function jsonLine(line: string): string {
  return `${escapeInvisible(line.trimEnd())}\n`;
}
