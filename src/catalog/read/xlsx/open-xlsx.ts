import type { Sheet, Workbook } from '../sheet/collect-rows.ts';
import type { Archive } from '../workbook/archive.ts';
import { damaged } from '../workbook/fault.ts';
import { isTrue, readXml } from '../workbook/xml.ts';
import { readSheet } from './read-sheet.ts';
import { type Relationship, relationshipsOf } from './relationships.ts';
import { readSharedStrings } from './shared-strings.ts';
import type { CellContext } from './stored-cell.ts';
import { readDateStyles } from './styles.ts';

/** A sheet, and the part with its rows. */
interface XlsxSheet extends Sheet {
  part: string;
}

/**
 * Opens a workbook as Excel writes it (ECMA-376, Office Open XML). Macros, pictures, notes and links are not looked at.
 * @throws WorkbookFault if it is damaged.
 */
export async function openXlsx(archive: Archive): Promise<Workbook<XlsxSheet>> {
  const main = (await relationshipsOf(archive, '')).find(({ type }) => type === 'officeDocument');
  if (!main) throw damaged('it has no officeDocument');
  const parts = await relationshipsOf(archive, main.target);
  const { sheets, hasDatesFrom1904 } = await readSheetList(archive, main.target, parts);
  const partOf = (type: string) => parts.find(part => part.type === type)?.target;
  let context: Promise<CellContext> | undefined;
  const readContext = async (): Promise<CellContext> => {
    const [strings, styles] = [partOf('sharedStrings'), partOf('styles')];
    return {
      strings: strings === undefined ? [] : await readSharedStrings(archive, strings),
      dateStyles: styles === undefined ? [] : await readDateStyles(archive, styles),
      dateSystem: hasDatesFrom1904 ? 1904 : 1900,
    };
  };
  return {
    sheets,
    async read({ part }, onRow) {
      context ??= readContext();
      return readSheet(archive, part, await context, onRow);
    },
  };
}

async function readSheetList(archive: Archive, part: string, parts: readonly Relationship[]) {
  const sheets: XlsxSheet[] = [];
  let hasDatesFrom1904 = false;
  await readXml(archive, part, {
    open(element, attributes) {
      if (element === 'workbookPr') hasDatesFrom1904 = isTrue(attributes.date1904);
      if (element !== 'sheet') return;
      const { name = '', state = 'visible' } = attributes;
      const [, id = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
      const sheet = parts.find(part => part.id === id);
      if (!sheet) throw damaged(`the sheet ${name} is missing`);
      // Charts, macros and dialogs are sheets as well.
      if (sheet.type !== 'worksheet') return;
      sheets.push({ name, isHidden: state !== 'visible', part: sheet.target });
    },
  });
  return { sheets, hasDatesFrom1904 };
}
