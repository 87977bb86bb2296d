import type { Fault } from './fault.ts';
import { jsonFaults } from './json.ts';
import { markdownFaults } from './markdown.ts';
import { notationFaults } from './notation.ts';
import { publicationFaults } from './publication.ts';
import { referenceFaults } from './references.ts';
import { setFaults } from './set.ts';
import { sheetCellFaults } from './sheet-cells.ts';
import { sheetFaults } from './sheets.ts';
import { valueFaults } from './values.ts';

/** One of everything that can be wrong with the content of files. */
export const faults: readonly Fault[] = [
  ...notationFaults,
  ...jsonFaults,
  ...markdownFaults,
  ...valueFaults,
  ...publicationFaults,
  ...referenceFaults,
  ...setFaults,
  ...sheetCellFaults,
  ...sheetFaults,
];
