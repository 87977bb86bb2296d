import type { Column } from '../contract/columns.ts';
import type { Reporter, SourceLocation } from '../contract/problems.ts';
import { excerpt, nearest } from '../messages.ts';
import {
  columnLetters,
  columnName,
  isUnknown,
  knownHeadings,
  lettersOf,
  MAX_TITLE_ROWS,
  type RawRow,
  unknownColumn,
} from './table.ts';

/** A row of a CSV file or a sheet that is not blank. */
interface FilledRow {
  /** Its row in a spreadsheet, from 1. */
  number: number;
  cells: readonly string[];
}

/** What the headings are read from. */
interface Headed<Row extends FilledRow> {
  /** The rows, or at least the first ones. */
  filled: readonly Row[];
  columns: readonly Column[];
  /** The place of a row, or of the cell with an index in it; without a row, that of the file or sheet. */
  place(row?: Row | RawRow, index?: number): SourceLocation;
  report: Reporter;
  /** Whether a column has no values. Such a column needs no heading, as an empty row above the table is ignored. */
  isEmpty?(index: number): boolean;
}

/**
 * Reads and checks the headings, which ought to be in the first row; without a check for that if the rows are not `complete`.
 * `header` is undefined, and reported, if the first row does not have them: then no other problem is reported. `names` are
 * those of the columns up to the last heading. `locate` is that of the table.
 */
export function readHeader<Row extends FilledRow>(headed: Headed<Row>, complete = true) {
  const { filled, columns, place } = headed;
  const known = columns.map(({ name }) => name);
  const header = !complete || checkHeadingRow(headed, known) ? filled[0] : undefined;
  const allNames = header?.cells.map(cell => columnName(cell, known)) ?? [];
  const names = allNames.slice(0, allNames.findLastIndex(name => name !== '') + 1);
  if (header) checkHeadings(headed, header, names, known);
  const hasRequired = columns.every(({ name, required }) => !required || names.includes(name));
  const locate = (row: RawRow, column?: string): SourceLocation =>
    column === undefined
      ? place(row)
      : { ...place(row, Math.max(0, names.indexOf(column))), heading: column };
  return { header, names, hasRequired: header !== undefined && hasRequired, locate };
}

function checkHeadingRow<Row extends FilledRow>(headed: Headed<Row>, known: readonly string[]): boolean {
  const { filled, place, report } = headed;
  const [first] = filled;
  const matches = filled.slice(0, MAX_TITLE_ROWS + 1).map(({ cells }) => knownHeadings(cells, known));
  const most = Math.max(0, ...matches);
  const index = matches.indexOf(most);
  const names = first?.cells.map(cell => columnName(cell, known)) ?? [];
  // In another language, two headings are hardly a coincidence.
  if (most === 0 && renamedColumns(names, headed.columns).size > 1) return true;
  if (!first) {
    const at = place();
    const what = at.sheet === undefined ? 'file' : 'sheet';
    report(at, 'EMPTY_FILE', `the ${what} is empty: write a row of column headings`);
  } else if (most === 0) {
    const message = `this row has none of the column headings: write ${known.join(', ')}, one in each cell`;
    report(place(first), 'NO_HEADINGS', message);
  } else if (index > 0) {
    const message = `the column headings seem to be in row ${filled[index]?.number}: delete the rows above them`;
    report(place(first), 'TITLE_ROW', message);
  }
  return most > 0 && index === 0;
}

/** The required columns that seem to have another heading, such as `price (EUR)`, `prise` or `Preis`, by its index. */
function renamedColumns(names: readonly string[], columns: readonly Column[]): Map<number, string> {
  const known = columns.map(({ name }) => name);
  const missing = columns.filter(({ name, required }) => required && !names.includes(name));
  const unknown = [...names].flatMap((name, index) =>
    name && isUnknown(name, known) ? { index, word: wordIn(name) } : [],
  );
  const found = new Map<number, string>();
  for (const { name: column } of missing) {
    const own = lettersOf(column);
    const left = unknown.filter(({ index }) => !found.has(index));
    const like = left.find(({ word }) => word === own || nearest(word, [own]) !== undefined);
    const [meant, second] = left.filter(({ word }) => WORDS[column]?.split(' ').includes(word));
    const { index } = like ?? (second ? undefined : meant) ?? {};
    if (index !== undefined) found.set(index, column);
  }
  return found;
}

/** The letters of a heading, without units and what is in brackets: `price` of `Price in EUR (net)`. */
function wordIn(heading: string): string {
  return lettersOf(
    heading.replace(/\(.*?\)|\[.*?\]|(?<!\p{L})(?:in|[mgt]i?b|eur|usd|gbp|chf)(?!\p{L})/giu, ''),
  );
}

/** What people call the required columns, in the languages of the words for yes and no. */
const WORDS: Readonly<Partial<Record<string, string>>> = {
  id: 'nr no number nummer numéro número numero numer номер 编号 序号',
  product_id: 'product produkt produit producto prodotto produto tuote продукт товар 产品 产品编号',
  rel_id:
    'configuration konfiguration configuración configurazione configuração configuratie konfiguracja конфигурация 配置',
  duration_id:
    'duration term dauer laufzeit durée duración durata duração duur okres varighed varighet kesto срок 期限 时长',
  name: 'productname plan product produkt bezeichnung nom nombre nome naam nazwa navn namn nimi название 名称 产品名称',
  cpu: 'cpus vcpu vcpus cores kerne processeur procesador prozessor núcleos ядра 核 核数 处理器',
  memory:
    'ram speicher arbeitsspeicher mémoire memoria memória geheugen pamięć hukommelse minne muisti память 内存',
  num: 'quantity anzahl cantidad quantità quantidade aantal ilość antal antall määrä количество 数量',
  unit: 'einheit unité unidad unità unidade eenheid jednostka enhed enhet yksikkö единица 单位',
  price: 'amount cost preis betrag prix precio prezzo preço prijs cena pris hinta цена 价格',
  title: 'headline titel titre título titolo tytuł tittel otsikko заголовок 标题',
  content:
    'body text inhalt contenu contenido contenuto conteúdo inhoud treść indhold innhold innehåll sisältö содержание текст 内容 正文',
  create_time: 'date datum fecha data dato päivämäärä дата 日期',
};

function checkHeadings<Row extends FilledRow>(
  { columns, place, report, isEmpty }: Headed<Row>,
  header: Row,
  names: readonly string[],
  known: readonly string[],
): void {
  const renamed = renamedColumns(names, columns);
  const locate = (index: number) => ({ ...place(header, index), heading: names[index] ?? '' });
  for (const [index, name] of names.entries()) {
    const heading = (header.cells[index] ?? name).trim();
    const missing = renamed.get(index);
    const first = names.indexOf(name);
    if (name === '') {
      if (isEmpty?.(index)) continue;
      const message = `the column has no heading: write one of ${known.join(', ')}, or delete the column`;
      report(locate(index), 'BLANK_COLUMN', message);
    } else if (first < index) {
      const message = `two columns have the heading ${excerpt(name)}: delete one of them`;
      report(locate(index), 'DUPLICATE_COLUMN', message, locate(first));
    } else if (/^(?:extra\.)?__proto__$/.test(name)) {
      report(locate(index), 'FORBIDDEN_COLUMN', 'a column cannot be named __proto__: delete it');
    } else if (missing !== undefined) {
      const message = `the column ${missing} is missing, and ${excerpt(heading)} may be it: rename ${excerpt(heading)} to ${missing}, and write the values ${missing === 'memory' ? 'in MB' : 'as that column has them'}`;
      report({ ...locate(index), heading: missing }, 'MISSING_COLUMN', message);
    } else if (isUnknown(name, known)) {
      report(locate(index), 'UNKNOWN_COLUMN', unknownColumn(heading, known, 'csv'));
    }
  }
  for (const { name, required } of columns) {
    if (!required || names.includes(name) || [...renamed.values()].includes(name)) continue;
    const message = `there is no column with the heading ${name}: add it`;
    report({ ...place(header), heading: name }, 'MISSING_COLUMN', message);
  }
}

/** What to do about a text beside the table, in the column with this index. */
export function withoutHeading(text: string, column: number): string {
  return `${text} is in column ${columnLetters(column)}, which has no heading: clear the cell or give the column a heading`;
}
