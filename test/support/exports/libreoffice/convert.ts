import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endWithTest, killGroup } from '../../process.ts';

/** Starts LibreOffice once, with a profile in `dir`, and has it save files in another format into a directory. */
export async function convert(
  t: TestContext,
  dir: string,
  files: readonly string[],
  format: string,
  outdir: string,
): Promise<void> {
  const child = spawn(
    'soffice',
    [
      `-env:UserInstallation=${pathToFileURL(join(dir, 'profile'))}`,
      '--headless',
      ...['--convert-to', format, '--outdir', outdir],
      ...files,
    ],
    { detached: true, stdio: 'ignore' },
  );
  const code = await endWithTest(t, child, () => killGroup(child));
  if (code !== 0) throw new Error(`soffice ended with ${code}`);
}
