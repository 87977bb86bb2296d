import { posix } from 'node:path';
import type { Archive } from './archive.ts';
import { numberFormat } from './number-format.ts';
import type { CellLook, Sheet } from './sheet.ts';
import { damaged } from './stored-cells.ts';
import { type CellContext, readSharedStrings, readSheet } from './xlsx-sheet.ts';
import { isTrue, readXml } from './xml.ts';

/** Opens an Office Open XML workbook (ECMA-376), as Excel writes it. @throws WorkbookFault if it is damaged. */
export async function openXlsx(archive: Archive): Promise<Sheet[]> {
  const main = (await relationshipsOf(archive, '')).find(({ type }) => type === 'officeDocument');
  if (!main) throw damaged('it has no officeDocument');
  const parts = await relationshipsOf(archive, main.target);
  const sheets: { name: string; isHidden: boolean; part: string }[] = [];
  let dateSystem: CellContext['dateSystem'] = 1900;
  await readXml(archive, main.target, {
    open(element, attributes) {
      if (element === 'workbookPr') dateSystem = isTrue(attributes.date1904) ? 1904 : 1900;
      if (element !== 'sheet') return;
      const { name = '', state = 'visible' } = attributes;
      const id = attributes['r:id'];
      // Old macros leave sheets behind that have no part.
      if (id === '') return;
      // A missing part is a fault only if the sheet is read.
      const missing = { type: 'worksheet', target: `the sheet ${name}` };
      const { type, target } = parts.find(part => part.id === id) ?? missing;
      // Charts, macros and dialogs are sheets, too.
      if (type === 'worksheet') sheets.push({ name, isHidden: state !== 'visible', part: target });
    },
  });
  const partOf = (type: string) => parts.find(part => part.type === type)?.target;
  let context: Promise<CellContext> | undefined;
  const readContext = async (): Promise<CellContext> => {
    const [strings, styles] = [partOf('sharedStrings'), partOf('styles')];
    return {
      strings: strings === undefined ? [] : await readSharedStrings(archive, strings),
      styles: styles === undefined || !archive.has(styles) ? [] : await readStyles(archive, styles),
      dateSystem,
    };
  };
  return sheets.map(({ name, isHidden, part }) => ({
    name,
    isHidden,
    async read() {
      context ??= readContext();
      return readSheet(archive, part, await context);
    },
  }));
}

interface Relationship {
  id: string;
  /** The last part of its type, such as `sharedStrings`. The rest differs between versions of the standard. */
  type: string;
  target: string;
}

/** Returns the parts that a part refers to, or with '' the archive itself. Links to other files are left out. */
async function relationshipsOf(archive: Archive, part: string): Promise<Relationship[]> {
  const { dir, base } = posix.parse(part);
  const file = posix.join(dir, '_rels', `${base}.rels`);
  const found: Relationship[] = [];
  if (!archive.has(file)) throw damaged(`${file} is missing`);
  await readXml(archive, file, {
    open(name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
      if (name !== 'Relationship' || mode === 'External') return;
      found.push({ id, type: posix.basename(type), target: posix.resolve('/', dir, target).slice(1) });
    },
  });
  return found;
}

async function readStyles(archive: Archive, part: string): Promise<CellLook[]> {
  const codes = new Map<number, string>();
  const struckFonts: boolean[] = [];
  const styles: { format: number; font: number }[] = [];
  let list = '';
  await readXml(archive, part, {
    open(name, { numFmtId = '0', formatCode = '', fontId = '0', val = 'true' }) {
      if (name === 'numFmt' && list === '') codes.set(Number(numFmtId), formatCode);
      else if (name === 'cellXfs' || name === 'fonts' || name === 'dxfs') list = name;
      else if (name === 'font' && list === 'fonts') struckFonts.push(false);
      else if (name === 'strike' && list === 'fonts') struckFonts[struckFonts.length - 1] = isTrue(val);
      else if (name === 'xf' && list === 'cellXfs')
        styles.push({ format: Number(numFmtId), font: Number(fontId) });
    },
    close(name) {
      if (name === list) list = '';
    },
  });
  return styles.map(({ format, font }) => ({
    format: numberFormat(format, codes),
    isStruck: struckFonts[font] === true,
  }));
}
