import { generateCatalog } from '../../generate-catalog.ts';
import { temporaryDirectory } from '../../replicas/programs.ts';
import type { Text } from '../catalog/words.ts';
import { programPath } from '../node-server.ts';
import type { Options } from '../options.ts';
import { formatSize } from '../plan.ts';
import type { Results } from '../results.ts';
import { measureMemory } from './memory.ts';
import { measureMetrics } from './metrics.ts';
import { measureReload } from './reload.ts';
import { measureSearch } from './search.ts';
import { measureStarts } from './start.ts';

const SAMPLE_DIR = programPath('../../data/catalog');

/** Measures those parts that are about Vitrine alone, most of them about taking up its catalogs. `tell` hears what is next. */
export async function measureAlone(
  { parts, plan }: Options,
  tell: (what: string) => void,
): Promise<Pick<Results, 'metrics' | 'search' | 'starts' | 'memory' | 'reload'>> {
  const { large, reloadMs: ms, reloads } = plan;
  const name = formatSize(large);
  const catalog = async (text: Text, seed: number) => {
    const dir = temporaryDirectory();
    await generateCatalog(dir, { ...large, text, seed });
    return dir;
  };
  tell(`catalogs of ${name}`);
  const [ascii, chinese] = [await catalog('ascii', 1), await catalog('chinese', 1)];
  const dirs = { 'sample catalogs': SAMPLE_DIR, [name]: ascii, [`${name}, in Chinese`]: chinese };

  const ifChosen = async <Result>(part: Options['parts'][number], measure: () => Promise<Result[]>) => {
    if (!parts.includes(part)) return [];
    tell(part);
    return measure();
  };
  return {
    metrics: await ifChosen('metrics', () => measureMetrics(SAMPLE_DIR, plan.metricsRounds)),
    search: await ifChosen('search', () => measureSearch({ ascii, chinese }, plan.searchRounds)),
    starts: await ifChosen('start', () => measureStarts(SAMPLE_DIR, ascii, plan)),
    memory: await ifChosen('memory', () => measureMemory(dirs, plan.memoryAfterMs)),
    reload: await ifChosen('reload', async () =>
      measureReload([ascii, await catalog('ascii', 2)], { ...large, ms, reloads }),
    ),
  };
}
