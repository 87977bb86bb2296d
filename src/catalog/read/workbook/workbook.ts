import type { Workbook } from '../sheet/collect-rows.ts';
import { refuseOtherKinds } from './other-kinds.ts';

const opened = new WeakMap<Buffer, Promise<Workbook>>();

/** Opens a workbook, or finds it open: several catalogs can be in one. @throws WorkbookFault if it cannot be read. */
export function openWorkbook(content: Buffer): Promise<Workbook> {
  const workbook = opened.get(content) ?? open(content);
  opened.set(content, workbook);
  return workbook;
}

/** Loads the parsers on demand, so that a start without a workbook does not pay for them. */
async function open(content: Buffer): Promise<Workbook> {
  refuseOtherKinds(content);
  const { openArchive } = await import('./archive.ts');
  const archive = await openArchive(content);
  if (archive.has('content.xml')) return (await import('../ods/open-ods.ts')).openOds(archive);
  return (await import('../xlsx/open-xlsx.ts')).openXlsx(archive);
}
