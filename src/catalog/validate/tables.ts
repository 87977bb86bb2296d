import { formatFile } from '../../contract/problems.ts';
import type { Table } from '../../formats/table.ts';

/** The part of a validated catalog that says where its rows are. */
interface Tables {
  tables: readonly { table: Table }[];
}

/** Whether all rows of a catalog are known. */
export function isComplete({ tables }: Tables): boolean {
  return tables.every(({ table }) => table.complete);
}

/** The files of a catalog, for messages. */
export function filesOf({ tables }: Tables): string {
  return tables.map(({ table }) => formatFile(table)).join(' or ');
}
