import type { Workbook } from '../sheet/collect-rows.ts';
import type { Archive } from '../workbook/archive.ts';
import { WorkbookFault } from '../workbook/fault.ts';
import { readXml } from '../workbook/xml.ts';
import { type OdsSheet, tablesVisitor } from './tables.ts';

const MANIFEST = 'META-INF/manifest.xml';

/**
 * Opens a workbook as LibreOffice writes it (OASIS OpenDocument). All its sheets are one part, and so are read at once.
 * @throws WorkbookFault if it is damaged or has a password.
 */
export async function openOds(archive: Archive): Promise<Workbook<OdsSheet>> {
  if (archive.has(MANIFEST)) await refusePassword(archive);
  const sheets: OdsSheet[] = [];
  try {
    await readXml(archive, 'content.xml', tablesVisitor(sheets));
  } catch (error) {
    if (error instanceof WorkbookFault) error.sheet = sheets.at(-1)?.name;
    throw error;
  }
  return {
    sheets,
    async read({ content }, onRow) {
      for (const index of content.rows.keys()) onRow((index + 1) / content.rows.length);
      return content;
    },
  };
}

async function refusePassword(archive: Archive): Promise<void> {
  await readXml(archive, MANIFEST, {
    open(name) {
      if (name !== 'encryption-data') return;
      const message = 'the workbook is protected by a password: remove the password, and save it again';
      throw new WorkbookFault(message);
    },
  });
}
