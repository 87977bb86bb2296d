import { type CatalogName, catalogNames, columnsOf, EXTRA, extraColumn } from '../contract/columns.ts';
import { formats } from '../formats/write/write.ts';
import type { WrittenCatalog, WrittenValue } from '../formats/write/written-catalog.ts';
import { CatalogError } from '../live/report.ts';
import { printable } from '../messages.ts';
import { commandName, wordOf } from '../process/command-name.ts';
import type { Call } from './call.ts';
import { chosenFormat } from './convert.ts';
import { writeFolder } from './new-folder.ts';

/** One row of each catalog. They refer to each other by ids, which outlast renaming, and are hidden where possible. */
const examples: Record<CatalogName, Record<string, WrittenValue>> = {
  products: { id: 1, name: 'Example product', description: 'Write your own in its place', hidden: true },
  configurations: {
    ...{ id: 1, product_id: 1, name: 'Small', cpu: 1, memory: 2048 },
    ...{ order: 10, hidden: true, extra: '{"badge":"Popular"}' },
  },
  durations: { id: 1, name: '1 month', num: 1, unit: 'month' },
  prices: { id: 1, product_id: 1, rel_id: 1, duration_id: 1, price: 4.9, valid_from: new Date('2025-01-01') },
  news_types: { id: 1, name: 'Announcements' },
  news: {
    ...{ id: 1, type_id: 1, title: 'We are open', content: 'Visit us.' },
    ...{ content_format: 'text', create_time: new Date('2026-01-31T10:00:00Z'), hidden: true },
  },
};

/** The name makes it a draft. */
const MARKDOWN_FILE = 'news/_2-markdown.md';
const MARKDOWN_EXAMPLE = `---
type_id: 1
create_time: 2026-01-31 11:00:00
---

# A news item in Markdown

The id is the number in the file name, the title is the first heading. **Bold**, [links](https://example.com), lists and
tables:

| plan | price |
|---|---|
| Small | 4.90 |

The file is a draft, because its name begins with _. Rename it to 2-markdown.md, and the item goes live.
`;

/** `vitrine template [DIR]`: writes an example of each catalog, and the draft of a news item in Markdown. */
export async function template(call: Call, dir?: string): Promise<void> {
  const settings = call.settings(dir);
  const { catalogDir } = settings;
  const catalogs = catalogNames.map((catalog): WrittenCatalog => {
    const columns = columnsOf(catalog).concat(EXTRA in examples[catalog] ? extraColumn(EXTRA) : []);
    return { catalog, columns, rows: [columns.map(({ name }) => examples[catalog][name])] };
  });
  const files = { ...formats[chosenFormat(call)](catalogs), [MARKDOWN_FILE]: MARKDOWN_EXAMPLE };
  await writeFolder(catalogDir, files, settings, report => {
    if (report.version === undefined) throw new CatalogError(report);
  });
  call.print(`${printable(catalogDir)}: ${Object.keys(files).join(', ')}
  the examples are hidden: write your own rows in their place, or false into the column hidden
  serve them with: ${commandName} ${wordOf(catalogDir)}
`);
}
