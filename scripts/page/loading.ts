import type { Visit } from './visit.ts';

/** What each view shows last. */
const contents = {
  now: '#most-read',
  prices: '.count:not(:empty)',
  news: '.count:not(:empty)',
  rows: '.count:not(:empty)',
  history: '#token',
  try: '#files',
};

export type ViewName = keyof typeof contents;
export const viewNames = Object.keys(contents) as ViewName[];
/** The work of a page until a view shows its content, in milliseconds; and what it transfers. */
export interface Loading {
  script: number;
  tasks: number;
  longTasks: number[];
  kilobytes: number;
  /** Layout shift. */
  shift: number;
}

/** Loads a view in a visit that has just begun. */
export async function measureLoading(
  { page, session, longTasks, shift }: Visit,
  address: string,
  view: ViewName,
): Promise<Loading> {
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Performance.enable');
  await page.goto(`${address}#/${view}`);
  await page.locator(`main ${contents[view]}`).waitFor();
  const { metrics } = await session.send('Performance.getMetrics');
  const milliseconds = (name: string) => 1000 * (metrics.find(metric => metric.name === name)?.value ?? NaN);
  await page.waitForLoadState('networkidle');
  const loaded = { kilobytes: bytes / 1000, longTasks: await longTasks(), shift: await shift() };
  return { script: milliseconds('ScriptDuration'), tasks: milliseconds('TaskDuration'), ...loaded };
}
