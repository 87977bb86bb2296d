import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import type { CheckOptions, CheckReport, Query } from '../../../src/page/checker/protocol.ts';
import type { Files } from '../catalogs.ts';

/** The checker of a page, whose worker stays from one check to the next. */
export interface PageChecker {
  check(files: Files, options?: CheckOptions): Promise<CheckReport>;
  /** The data, or the message of the error. */
  ask(path: string, query?: Query): Promise<unknown>;
}

/** A file as it gets into the page. */
type Sent = [path: string, base64: string];

/** Opens the checker on a page of the service, as the page itself does. */
export async function openPageChecker(page: Page): Promise<PageChecker> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { openChecker } from './src/page/checker/open-checker.ts'; globalThis.checker = openChecker();`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    write: false,
  });
  await page.evaluate(outputFiles[0]?.text ?? '');
  const call = <Result>(code: string, argument: unknown): Promise<Result> =>
    page.evaluate(`(${code})(${JSON.stringify(argument)})`);
  return {
    check: (files, options = {}) =>
      call<CheckReport>(
        `async ({ sent, options }) => {
          const files = sent.map(([path, base64]) => {
            const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
            return { path, bytes: bytes.buffer };
          });
          return checker.check(files, options);
        }`,
        { sent: sentOf(files), options },
      ),
    ask: (path, query = {}) =>
      call(`({ path, query }) => checker.ask(path, query).catch(({ message }) => message)`, { path, query }),
  };
}

/** The files of a directory, also of its folders. */
export function filesIn(dir: string): Files {
  const names = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(names.map(path => [relative(dir, path), readFileSync(path)]));
}

function sentOf(files: Files): Sent[] {
  return Object.entries(files).flatMap(([name, content]) => {
    if (content === null) return [];
    const bytes = Array.isArray(content) ? JSON.stringify(content, null, 2) : content;
    return [[name, Buffer.from(bytes).toString('base64')]];
  });
}
