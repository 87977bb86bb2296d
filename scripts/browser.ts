import { type Browser, chromium } from 'playwright-core';
import { findProgram } from './replicas/find-program.ts';

/** It asks nobody for anything of its own. */
const QUIET = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Nor does it find anybody but this machine.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** Starts Debian's chromium, without a window, over a new profile that goes with it. @throws Error where there is none. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findProgram('chromium');
  if (!executablePath) throw new Error('chromium is not installed');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...QUIET] });
}
