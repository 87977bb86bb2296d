import type { Archive } from '../workbook/archive.ts';
import { readXml } from '../workbook/xml.ts';
import { isDateFormat } from './date-formats.ts';

/** Whether each style of cells, by its index, shows numbers as dates. */
export async function readDateStyles(archive: Archive, part: string): Promise<boolean[]> {
  const codes = new Map<number, string>();
  const formats: number[] = [];
  let isInCells = false;
  await readXml(archive, part, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode);
      else if (name === 'cellXfs') isInCells = true;
      else if (name === 'xf' && isInCells) formats.push(Number(numFmtId));
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return formats.map(id => isDateFormat(id, codes));
}
