import { directorySide } from '../catalog/reader/sides.ts';
import { CatalogError } from '../catalog/report.ts';
import { forms } from '../catalog/write/forms.ts';
import type { WrittenCatalog, WrittenValue } from '../catalog/write/written-catalog.ts';
import { type CatalogName, catalogNames, columnsOf } from '../contract/columns.ts';
import { printable } from '../messages.ts';
import { commandName, wordOf } from '../process/command-name.ts';
import type { Settings } from '../settings/settings.ts';
import { formOf } from './convert.ts';
import { writeFolder } from './folders/new-folder.ts';

/** One row of each catalog, which refers to the others by their names. */
const examples: Record<CatalogName, Record<string, WrittenValue>> = {
  products: { id: 1, name: 'Cloud server', description: 'Virtual servers by the month' },
  configurations: {
    ...{ id: 1, product_id: 'Cloud server', name: 'Small', cpu: 1, memory: 2048 },
    ...{ order: 10, hidden: false },
  },
  durations: { id: 1, name: '1 month', num: 1, unit: 'month' },
  prices: { id: 1, product_id: 'Cloud server', rel_id: 1, duration_id: '1 month', price: 4.9 },
  news_types: { id: 1, name: 'Announcements' },
  news: {
    ...{ id: 1, type_id: 'Announcements', title: 'We are open', content: 'Visit us.' },
    ...{ content_format: 'text', create_time: new Date('2026-01-31T10:00:00Z') },
  },
};

const MARKDOWN = `---
type_id: Announcements
create_time: 2026-01-31 11:00:00
---

# A news item in Markdown

The id is the number at the beginning of the file name, the title is the first heading. **Bold**, [links](https://example.com),
lists and tables:

| plan | price |
|---|---|
| Small | 4.90 |

Delete this file, or the sheet \`news\`, if you write news in one way only.
`;

/** `vitrine template [DIR]`: writes files with an example of each catalog, and a news item in Markdown. */
export async function template(settings: Settings, format: string | undefined): Promise<void> {
  const { catalogDir } = settings;
  const catalogs = catalogNames.map(exampleOf);
  const files = { ...forms[formOf(format)](catalogs), 'news/2-markdown.md': MARKDOWN };
  await writeFolder(catalogDir, files, async draft => {
    const written = await directorySide({ ...settings, catalogDir: draft });
    if (!('read' in written)) throw new CatalogError(written);
  });
  process.stdout.write(`${printable(catalogDir)}: ${Object.keys(files).join(', ')}
  serve them with: ${commandName} ${wordOf(catalogDir)}
`);
}

function exampleOf(catalog: CatalogName): WrittenCatalog {
  const columns = columnsOf(catalog);
  return { catalog, columns, rows: [columns.map(({ name }) => examples[catalog][name])] };
}
