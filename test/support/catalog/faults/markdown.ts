import type { Files } from '../../catalogs.ts';
import type { Fault } from './fault.ts';

/** A news item in the folder, in place of the news of the shop. */
const item = (text: string | Buffer, name = '7-item.md'): Files => ({
  'news.json': null,
  [`news/${name}`]: text,
});

const DATE = 'create_time: 2024-01-05\n';
/** An item with these lines in its front matter, which begin in its third line. */
const front = (lines: string) => item(`---\n${DATE}${lines}---\n# Title\n\nText\n`);
/** An item with this text, which begins in its fifth line. */
const body = (text: string) => item(`---\n${DATE}title: Title\n---\n${text}`);
/** News of a CSV file with this content in its second line. */
const cell = (format: string, content: string): Files => ({
  'news.csv': `id,title,create_time,content_format,content\n7,Title,2024-01-05,${format},"${content}"\n`,
});

const TO_FRONT_MATTER = 'in the front matter, which stands between two lines --- at the top';
const HOW_TO_WRITE = 'write one line for each value, such as create_time: 2026-03-31';
const AS_MARKDOWN = 'is HTML, which is left out: write it as Markdown, or delete it';
const AS_ADDRESS = 'is no address for a link: write one that begins with https://';

export const markdownFaults: Fault[] = [
  [
    item('\n \n'),
    'news/7-item.md: error EMPTY_FILE the file is empty: write a news item into it, or delete it',
  ],
  [
    item('# Title\n\nText\n'),
    `news/7-item.md:1:1: error MISSING_VALUE create_time is missing: write a date such as 2026-03-31 or 2026-03-31 18:00:00, ${TO_FRONT_MATTER}`,
  ],
  [
    item(`---\n${DATE}---\n> # Quoted\n\n#\n\nText\n`),
    'news/7-item.md:1:1: error MISSING_VALUE title is missing: begin the text with a heading, such as # New prices',
  ],
  [
    item(`---\n${DATE}---\n# Title\n`),
    'news/7-item.md:4:1: error MISSING_VALUE content is missing: write a text below the front matter',
  ],
  [
    item(`---\n${DATE}---\n# Title\n\nText\n`, '2024-01-05-item.md'),
    'news/2024-01-05-item.md:1:1: error MISSING_VALUE id is missing: begin the file name with a whole number, as in 12-new-prices.md; or with _ if it is not a news item',
  ],
  [
    item(`---\n${DATE}---\n# Title\n\nText\n`, '0-item.md'),
    'news/0-item.md: error BAD_ID id "0": write a whole number of 1 or more, such as 12',
  ],
  [
    front('id: 8\n'),
    'news/7-item.md:3:5: error TWO_IDS id 8 is not that of the file name, which begins with 7: delete this line, or rename the file',
  ],
  [
    { ...front(''), 'news/07.md': `---\n${DATE}---\n# Title\n\nText\n` },
    'news/7-item.md: error DUPLICATE_ID id 7 is already used at news/07.md: give each row its own id',
  ],
  [
    { 'news/1.md': `---\nid: 1\n${DATE}---\n# Title\n\nText\n` },
    'news/1.md:2:5: error DUPLICATE_ID id 1 is already used at news.json:3:11: give each row its own id',
  ],
  [
    item(`---\n${DATE}# Title\n\nText\n`),
    'news/7-item.md:1:1: error BAD_FRONT_MATTER the front matter has no end: write a line --- below its last line',
  ],
  ...(
    [
      [
        'a colon in a value',
        'title: New: prices\n',
        '8',
        'a value with a colon in it needs quotes: write it in "double quotes"',
      ],
      [
        'a sign of YAML before a value',
        'title: @home\n',
        '8',
        'a value that begins with this sign needs quotes: write it in "double quotes"',
      ],
      [
        'a quote that is not closed',
        'title: "New\n',
        '1',
        'something is not closed, such as a quote (Missing closing "quote): close it',
        4,
      ],
      ['a tab before a name', '\ttitle: New\n', '1', 'a tab at the beginning of a line: delete it'],
      [
        'a text after a quote',
        'title: "New" prices\n',
        '14',
        'this is not YAML (Unexpected scalar at node end): write the value in "double quotes"',
      ],
      ['a name twice', 'read: 1\nread: 2\n', '1', 'this name is there twice: delete one of the two lines', 4],
      ['a value in another one', 'read:\n  many: 1\n', '1', `this is not a single value: ${HOW_TO_WRITE}`],
      ['a list of lists', 'keywords: [[a]]\n', '1', `this is not a single value: ${HOW_TO_WRITE}`],
      ['a reference', 'title: &t A\nkeywords: *t\n', '1', `this is not a single value: ${HOW_TO_WRITE}`, 4],
    ] as const
  ).map(
    ([, lines, column, told, line = 3]): Fault => [
      front(lines),
      `news/7-item.md:${line}:${column}: error BAD_FRONT_MATTER ${told}`,
    ],
  ),
  [
    item('---\n- a\n---\nText\n'),
    `news/7-item.md:2:1: error BAD_FRONT_MATTER this is not front matter: ${HOW_TO_WRITE}`,
  ],
  [
    item('---\nHello\n---\nText\n'),
    `news/7-item.md:2:1: error BAD_FRONT_MATTER this is not front matter: ${HOW_TO_WRITE}`,
  ],
  [
    item(`---\na: ${'['.repeat(100_000)}\n---\nText\n`),
    `news/7-item.md:2:1: error BAD_FRONT_MATTER this is too much for front matter: ${HOW_TO_WRITE}`,
  ],
  [
    item(`---\na: ${'['.repeat(900)}1${']'.repeat(900)}\n---\nText\n`),
    `news/7-item.md:2:1: error BAD_FRONT_MATTER this is too much for front matter: ${HOW_TO_WRITE}`,
  ],
  [
    front('update_time: 31.12.2025\n'),
    'news/7-item.md:3:14: error BAD_TIME update_time "31.12.2025": write 2025-12-31',
  ],
  [
    front('read: [1, 2]\n'),
    'news/7-item.md:3:7: error BAD_NUMBER read "1, 2": write a whole number from 0 to 1000000000000000, such as 10',
  ],
  [
    front('hidden: perhaps\n'),
    'news/7-item.md:3:9: error BAD_BOOLEAN hidden "perhaps": write true or false, or leave out the line',
  ],
  [
    front('type_id: 9\n'),
    'news/7-item.md:3:10: error UNKNOWN_REFERENCE type_id 9 is not in news_types.json: write an id from there, or add a row with this id',
  ],
  [
    front('publish_time: 2026-04-01\nunpublish_time: 2026-03-31\n'),
    'news/7-item.md:4:17: error NEVER_SHOWN unpublish_time 2026-03-31 00:00:00 is not after publish_time 2026-04-01 00:00:00: write a later time, or leave out the line',
  ],
  [
    front('keyword: a\n'),
    'news/7-item.md:3:1: warning UNKNOWN_COLUMN column keyword is unknown and ignored: did you mean keywords?',
  ],
  [
    front('content: Text\n'),
    'news/7-item.md:3:1: warning UNKNOWN_COLUMN content is not read here, since the content is the Markdown text below: delete this line',
  ],
  [
    front('Content format: html\n'),
    'news/7-item.md:3:1: warning UNKNOWN_COLUMN content_format is not read here, since the content is the Markdown text below: delete this line',
  ],
  [
    item(Buffer.from('gr\xfcn', 'latin1')),
    'news/7-item.md:1:3: error BAD_ENCODING characters in an old encoding (probably Windows): save the file as UTF-8',
  ],
  [
    item('<!doctype html>\n<title>Sign in</title>\n'),
    'news/7-item.md:1:1: error WEB_PAGE this is a web page, such as a login or error page, and not a text: sign in, and download the file again',
  ],
  [
    body('Te\0xt\n'),
    'news/7-item.md:5:3: error NUL_BYTE this is not a text file, or it is damaged from here: save it again as UTF-8',
  ],
  [
    body('<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> other\n'),
    'news/7-item.md:5:1: error MERGE_CONFLICT the changes of two people stand here side by side: keep one of the two versions, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>',
  ],

  [
    body('Text\nwith <b onclick="x()">HTML</b>\n'),
    `news/7-item.md:6:1: warning OMITTED_HTML content <b onclick="x()"> ${AS_MARKDOWN}`,
  ],
  [
    body('Text\n\n<div>\nHTML\n</div>\n'),
    `news/7-item.md:7:1: warning OMITTED_HTML content <div>\\u000aHTML\\u000a</div> ${AS_MARKDOWN}`,
  ],
  [body('|a|b|\n|-|-|\n|1|<i>2|\n'), `news/7-item.md:7:1: warning OMITTED_HTML content <i> ${AS_MARKDOWN}`],
  [
    body('Text\n\nwith a\n[link](JavaScript:alert(1))\n'),
    `news/7-item.md:8:1: warning OMITTED_LINK content JavaScript:alert(1) ${AS_ADDRESS}`,
  ],
  [
    body('Text\n\n{{ site.url }}\n'),
    'news/7-item.md:7:1: warning FOREIGN_SIGN content {{ site.url }} is a sign of another program, and is shown as it is: write it as Markdown, or delete it',
  ],
  [
    body('![Dot](data:image/gif;base64,R0)\n'),
    `news/7-item.md:5:1: warning OMITTED_LINK content data:image/gif;base64,R0 ${AS_ADDRESS}`,
  ],
  [
    body('Text\n\n![Hall](pictures/hall%201.png)\n'),
    'news/7-item.md:7:1: warning NO_IMAGE content image hall 1.png is not in the images directory: add the file, or correct the name',
  ],
  [
    body('![Plan](/images/plan.pdf)\n'),
    'news/7-item.md:5:1: warning UNKNOWN_IMAGE_KIND content image plan.pdf is not served, because of its file type: use one of png, jpg, jpeg, webp, gif, avif, svg',
  ],
  [
    cell('markdown', 'Text\n\n<b>bold</b>'),
    `news.csv:2:29: warning OMITTED_HTML E2, content, line 3: <b> ${AS_MARKDOWN}`,
  ],
  [
    cell('rtf', 'Text'),
    'news.csv:2:20: error BAD_FORMAT D2, content_format "rtf": write one of html, text, markdown',
  ],
  [
    body(`[a]: /${'x'.repeat(2000)}\n\n${'[a] '.repeat(1000)}\n`),
    'news/7-item.md:5:1: error BAD_TEXT content has more than 1000000 characters as HTML: shorten it, and write long addresses only once',
  ],
];
