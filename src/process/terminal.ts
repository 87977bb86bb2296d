// The process around the service: what it prints, how it is called, how it stops, and two commands that only talk to others.
//
// `terminal.ts` opens the log, as text for people or as JSON. `command-name.ts` writes commands into messages in the form
// that the operator used. `shutdown.ts` ends the process on a signal or an error, with the help of `stop-signals.ts`.
// `healthcheck.ts` and `notify.ts` are commands that only send requests.
import { isatty, type WriteStream } from 'node:tty';
import { type Logger, pino } from 'pino';
import { escapeInvisible } from '../messages.ts';
import { formatLocal } from '../time-zone.ts';
import { commandName } from './command-name.ts';

/** The fields of a log line that are shown on a terminal. */
interface LogLine {
  level: number;
  /** In milliseconds since 1970. */
  time: number;
  msg?: string;
  catalogDir?: string;
  /** Problems of the catalogs, one line each. */
  problems?: string[];
  /** Further lines for terminals only. */
  details?: string[];
  err?: { message: string; stack?: string };
  req?: { method: string; url: string };
  res?: { statusCode: number };
}

const WARN = 40;
const levels = new Map([
  [WARN, 'warning: '],
  [50, 'error: '],
  [60, 'fatal: '],
]);

/** Turns a line of JSON into plain text in local time. Lists problems only in warnings and errors. */
export function formatForTerminal(line: string): string {
  const entry: LogLine = JSON.parse(line);
  const { level, time, msg = '', catalogDir, problems = [], details = [], err, req, res } = entry;
  if (msg === '') return '';
  const clock = formatLocal(time / 1000 - new Date(time).getTimezoneOffset() * 60).slice(-8);
  const place = catalogDir === undefined ? '' : `${catalogDir}: `;
  const request = req ? `: ${req.method} ${req.url}` : '';
  const response = res ? `: ${res.statusCode}` : '';
  const isCounted = level < WARN && problems.length > 0;
  const advice = isCounted ? `; run '${commandName} check' to see them` : '';
  const stack = err ? (err.stack ?? err.message).split('\n') : [];
  const more = [...(isCounted ? [] : problems), ...details, ...stack];
  const message = `${clock} ${levels.get(level) ?? ''}${place}${msg}${request}${response}${advice}`;
  return [message, ...more.map(text => `  ${text}`)].map(text => `${escapeInvisible(text)}\n`).join('');
}

export const isTerminal = isatty(1);

/**
 * Opens the log on standard output: text on a terminal, otherwise lines of JSON. JSON has invisible characters escaped as
 * well, so that no header or file can control the terminal that shows the log. Lines are written by a thread of libuv's pool,
 * or with `sync` before the call returns.
 */
export function openLogger(level: string, sync = false): Logger {
  const jsonLine = (line: string) => `${escapeInvisible(line.trimEnd())}\n`;
  const streamWrite = isTerminal ? formatForTerminal : jsonLine;
  return pino({ level, hooks: { streamWrite } }, pino.destination({ dest: 1, sync }));
}

/** Opens a line of the terminal in which each text replaces the last one. An empty text erases it. */
export function openProgressLine(stream: Pick<WriteStream, 'isTTY' | 'write'>): (text: string) => void {
  let width = 0;
  return text => {
    if (!stream.isTTY || text.length + width === 0) return;
    stream.write(`\r${text.padEnd(width)}${text === '' ? '\r' : ''}`);
    width = text.length;
  };
}
