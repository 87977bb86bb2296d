import type { Files } from '../../catalogs.ts';
import type { Fault } from './fault.ts';

const news = (headings: string, cells: string): Files => ({
  'news.csv': `id,title,content,create_time,${headings}\n1,A,B,2024-01-05,${cells}\n`,
});
const configurations = (headings: string, cells: string): Files => ({
  'prices.csv': 'id,product_id,rel_id,duration_id,price\n',
  'configurations.csv': `id,product_id,name,cpu,memory,${headings}\n11,1,S,1,1024,\n12,1,M,1,1024,${cells}\n`,
});
const markdown = (lines: string): Files => ({
  'news.json': null,
  'news/7-item.md': `---\ncreate_time: 2024-01-05\n${lines}---\n# Title\n\nText\n`,
});

/** What says, or may say, that a row is not for visitors yet. */
export const publicationFaults: Fault[] = [
  [
    news('draft', 'maybe'),
    'news.csv:2:18: error BAD_BOOLEAN E2, draft "maybe" is neither true nor false: write one of them',
  ],
  [
    news('Published', 'soon'),
    'news.csv:2:18: error BAD_BOOLEAN E2, published "soon" is neither true nor false, nor a time: write one of them',
  ],
  [
    configurations('published', '2026-03-31'),
    'configurations.csv:3:15: error BAD_BOOLEAN F3, published "2026-03-31" is neither true nor false, nor a time: write one of them',
  ],
  [
    news('status', 'In review'),
    'news.csv:2:18: error NOT_PUBLIC E2, status "In review" may mean that this row is not public: write so in hidden or publish_time',
  ],
  [
    configurations('Visibility', 'staff'),
    'configurations.csv:3:15: error NOT_PUBLIC F3, visibility "staff" may mean that this row is not public: write so in hidden',
  ],
  [
    {
      'news.json':
        '[{"id": 1, "title": "A", "content": "B", "create_time": "2024-01-05", "status": "pending"}]\n',
    },
    'news.json:1:81: error NOT_PUBLIC status "pending" may mean that this row is not public: write so in hidden or publish_time',
  ],
  [
    news('status', 'Published'),
    'news.csv:2:18: warning UNKNOWN_COLUMN E2, status "Published" is ignored: write what keeps a row from visitors in hidden or publish_time',
  ],
  [
    news('status,hidden', 'draft,no'),
    'news.csv:2:18: warning UNKNOWN_COLUMN E2, status "draft" is ignored: write what keeps a row from visitors in hidden or publish_time',
  ],
  [
    { 'products.json': null, 'products.csv': 'id,name,status\n1,Cloud,draft\n2,Web,\n' },
    'products.csv:1:9: warning UNKNOWN_COLUMN C1, column status is unknown and ignored: known columns are id, name, description',
  ],
  [
    { 'news.csv': 'id,title,content,create_time,hidden\n1,A,B,9000-01-05,\n2,A,B,9000-01-05,yes\n' },
    'news.csv:2:7: warning FUTURE_TIME D2, create_time 9000-01-05 00:00:00 is in the future, but the item shows at once: write the time into publish_time, too, to show it then',
  ],
  [
    markdown('category: Gossip\n'),
    'news/7-item.md:3:11: warning UNKNOWN_COLUMN category "Gossip" is not the name of a news type, and is ignored',
  ],
  [
    markdown('image: https://example.com/a.png\n'),
    'news/7-item.md:3:1: warning UNKNOWN_COLUMN image "https://example.com/a.png" is not the name of an image, and is ignored',
  ],
  [
    markdown('cover:\n  image: a.png\n'),
    'news/7-item.md:3:1: warning UNKNOWN_COLUMN cover is not a single value, and is ignored',
  ],
  [
    markdown('author:\n  name: Jo\n'),
    'news/7-item.md:3:1: warning UNKNOWN_COLUMN column author is unknown and ignored: known columns are id, type_id, title, keywords, img, read, create_time, update_time, publish_time, unpublish_time, hidden',
  ],
  [
    markdown('draft:\n  is: true\n'),
    'news/7-item.md:3:1: error BAD_FRONT_MATTER this is not a single value: write one line for each value, such as create_time: 2026-03-31',
  ],
  [
    { 'news.json': null, 'news/7-item.md': '+++\ntitle = "A"\ndraft = true\n+++\n\nText\n' },
    'news/7-item.md:1:1: error BAD_FRONT_MATTER this front matter is TOML (+++): write it as YAML, as in create_time: 2026-03-31, between two lines ---',
  ],
  [
    markdown('title: Issue #12 fixed\n'),
    'news/7-item.md:3:8: warning DAMAGED_TEXT title ends behind "Issue", since # begins a comment: write the whole text in "double quotes"',
  ],
  [
    markdown('tags:\n- C #\n'),
    'news/7-item.md:4:1: warning DAMAGED_TEXT tags ends behind "C", since # begins a comment: write the whole text in "double quotes"',
  ],
];
