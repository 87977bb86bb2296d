/** `1 row`, `1,234 rows`, with the number as the reader's locale writes it. */
export const plural = (number: number, one: string) =>
  `${number.toLocaleString(navigator.language)} ${one}${number === 1 ? '' : 's'}`;

/**
 * What the page says; a noun that only follows its number, as in `plural(rows, 'row')`, stands in its view. What the service
 * says (problems, changes, reasons) is in English too.
 */
export const texts = {
  loading: 'Loading …',
  skip: 'Skip to the content',
  views: { now: 'Now', prices: 'Prices', news: 'News', rows: 'Rows', history: 'History', try: 'Try' },
  viewsLabel: 'Views',
  more: 'More',
  documentation: 'API documentation',
  health: 'Health',
  feed: (kind: string) => `Feed (${kind})`,
  away: (since: string) =>
    `The service has not answered since ${since}. This page shows the state before that.`,
  refused: (reason: string, since: string) =>
    `The service has refused requests (${reason}) since ${since}. This page shows the state before that.`,

  nothingChecked: 'The files have not been read yet.',
  nothingServed: 'Nothing is live yet.',
  live: 'All files are live.',
  liveChanges: (changes: string) => `${changes}.`,
  unchanged: 'Nothing new: the files match what is already live.',
  settling: 'Files have changed: waiting until they are complete.',
  reading: (percent: string) => `Reading the files, ${percent}.`,
  failed: (errors: string, since: string | undefined) =>
    since === undefined
      ? `Not live: ${errors}. Nothing is live yet.`
      : `Not live: ${errors}. Visitors still see the catalogs of ${since}.`,
  pending: (errors: string) => `Not live yet: ${errors}. Waiting 10 seconds for the rest of the files.`,
  held: (reason: string) => `Held back: ${reason}`,
  pinned: (version: string, since: string) =>
    `Pinned to version ${version} since ${since}: saves do not go live.`,
  waiting: (version: string, saved: string) =>
    `What was saved at ${saved} is waiting: version ${version} is pinned.`,
  unpinWords:
    "To go back to the files, your administrator runs 'vitrine unpin', or deletes the file pin that names this version.",
  lastRead: (time: string) => `Files read ${time}`,
  liveSince: (time: string) => `Live since ${time}`,
  version: (version: string) => `version ${version}`,
  inFiles: (rows: string, files: string) => `${rows} in ${files}`,

  begin: 'How to begin',
  beginSteps: [
    'Save the files products, configurations, prices and news in the folder of the catalogs, each as .xlsx, .ods, .csv or .json, such as prices.csv; durations and news_types if you need them. One workbook with a sheet for each, catalog.xlsx, does as well.',
    "For files to begin with, your administrator runs 'vitrine template FOLDER': a workbook with all sheets, headings and an example in each.",
    'As soon as the files are complete, they are live, and this page says so.',
  ],

  problems: 'Problems',
  severity: { error: 'error', warning: 'warning' },
  notShown: (number: number) => `${plural(number, 'more problem')} not shown`,
  range: (from: string, to: string) => `${from} to ${to}`,
  inFile: (place: string, file: string) => `${place} in ${file}`,
  also: (place: string) => `and ${place}`,
  moreFindings: (number: number) => `${number} more`,

  mostRead: 'Most read',
  nothingRead: 'No news has been read yet.',

  product: 'Product',
  search: 'Search',
  searchConfigurations: 'Name of the configuration',
  category: 'Category',
  all: 'All',
  configuration: 'Configuration',
  show: 'Show',
  noPrice: 'no price',
  newPrice: 'new',
  removedPrice: 'gone',
  nextPrice: (time: string, price: string) => `from ${time}: ${price}`,
  before: (value: string) => `before ${value}`,
  nothingFound: 'Nothing found.',
  noNews: 'No news.',
  duration: (id: number) => `Duration ${id}`,
  previous: 'Previous',
  next: 'Next',
  pages: 'Pages',
  page: (page: string, last: string) => `Page ${page} of ${last}`,
  back: 'Back to the list',
  id: (id: number) => `id ${id}`,

  catalog: 'Catalog',
  searchRows: 'Text in the row',
  onlyAll: 'all rows',
  onlyChanged: 'changed by the last version',
  onlyProblems: 'with problems',
  place: 'Place',
  addedRow: 'new',
  noValue: 'nothing',
  catalogNames: {
    products: 'Products',
    configurations: 'Configurations',
    durations: 'Durations',
    prices: 'Prices',
    news_types: 'Categories',
    news: 'News',
  },

  token: 'Token',
  tokenUse: 'Use it',
  tokenForget: 'Forget the token',
  tokenWhy:
    'With the token of your administrator (PREVIEW_TOKEN), this page lists all versions, rolls back, and lets a held-back version go live. This browser forgets the token when you close it.',
  tokenWrong: 'The service does not know this token, or has none.',
  withoutToken:
    "Without it, your administrator does the same on the machine of the service: 'vitrine history' lists the versions, 'vitrine rollback VERSION' serves one of them again, 'vitrine unpin' loads the files again, and 'vitrine publish VERSION' lets a held-back version go live.",
  versions: 'Versions',
  versionHeading: 'Version',
  since: 'Live from',
  change: 'Change',
  versionStates: { served: 'live', pinned: 'live, pinned' },
  unknownChange: 'not known',
  rollBack: 'Roll back',
  rollBackTo: (version: string) => `Roll back to ${version}`,
  sure: 'Click again to do it',
  unpin: 'Load the files again',
  publish: 'Let it go live',
  done: 'Done: the service follows within a second.',
  noAnswer: 'The service has not answered.',
  noCheck:
    'The files have not arrived, or the service has not answered. For slow lines, your administrator raises CLIENT_TIMEOUT_MS.',
  lastChange: 'What the last version changed',
  noChanges: 'No changes.',
  changeKinds: { added: 'added', removed: 'removed', changed: 'changed' },
  rowHeading: 'Row',

  preview: 'Preview',
  instant: 'Show the site as of',
  previewHeld: 'Show what is held back',
  previewEnd: 'Back to what is live',
  previewOf: 'This is a preview: what visitors will see then, or saw.',
  previewOfHeld: 'This is a preview: what visitors would see if it went live.',
  calendar: 'Next',
  events: { appears: 'appears', disappears: 'disappears' },

  tryWhy:
    'Drop files onto this page, or choose them: the service says what would happen if you saved them, and stores nothing.',
  tryChoose: 'Files to check',
  dropHere: 'Drop the files here to check them',
  tokenToTry:
    'The service checks files for people with the token of your administrator (PREVIEW_TOKEN). This browser forgets it when you close it.',
  checking: 'The service is reading the files.',
  dropped: (names: string) => `Checked: ${names}`,
  wouldChange: 'What would change for visitors',
};
