import { type Browser, chromium } from 'playwright-core';
import { findProgram } from '../test/support/programs.ts';

/** No requests of its own. */
const QUIET = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // It resolves no host but this machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** Starts Debian's chromium, headless and with a temporary profile. @throws Error if it is not installed. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findProgram('chromium');
  if (!executablePath) throw new Error('chromium is not installed');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...QUIET] });
}
