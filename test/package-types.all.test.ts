import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { oldestPackages } from './support/oldest.ts';
import { execute, install, root } from './support/package.ts';
import { skipWithoutBuild } from './support/skipping.ts';

/** It packs what was built. */
const skip = skipWithoutBuild();

interface Options {
  module: string;
  moduleResolution?: string;
  types?: string[];
  lib?: string[];
}

/**
 * Type-checks files of a directory, and the declarations of packages that they import. As `nodenext`, also without these
 * declarations, and with the oldest TypeScript that is there.
 */
async function compile(dir: string, include: string[], options: Options): Promise<void> {
  const newest = join(root, 'node_modules');
  await compileWith(newest, dir, include, { ...options, skipLibCheck: false });
  if (options.module !== 'nodenext') return;
  await compileWith(newest, dir, include, { ...options, skipLibCheck: true });
  for (const skipLibCheck of [false, true])
    if (oldestPackages !== undefined)
      await compileWith(oldestPackages, dir, include, { ...options, skipLibCheck });
}

async function compileWith(packages: string, dir: string, include: string[], options: object): Promise<void> {
  const strictly = { strict: true, exactOptionalPropertyTypes: true };
  const compilerOptions = { target: 'es2022', noEmit: true, types: [], ...strictly, ...options };
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  const tsc = join(packages, 'typescript/bin/tsc');
  await execute(process.execPath, [tsc, '-p', dir]).catch(({ stdout }) => assert.fail(stdout));
}

const nodes = [{ module: 'node16' }, { module: 'node20' }, { module: 'nodenext' }];
const bundler = { module: 'esnext', moduleResolution: 'bundler' };

const embedder = `import { createVitrine, vitrine, CatalogError, UsageError, type Health, type NewsDetail, type VitrineOptions, type VitrinePluginOptions } from 'vitrine';
import { createClient, VitrineError } from 'vitrine/client';
import Fastify from 'fastify';

const options: VitrineOptions = { catalogDir: 'catalog', port: 0, rateLimit: 60 };
const ofPlugin: VitrinePluginOptions = { catalogDir: 'catalog', rateLimit: 60 };
Fastify().register(vitrine, { prefix: '/shop', logLevel: 'warn', ...ofPlugin });
// @ts-expect-error: the host listens
Fastify().register(vitrine, { port: 0 });
const item: NewsDetail = await createClient('http://localhost').readNews(1);
export const title: string = item.title;
export const status = (health: Health): 'ok' | 'degraded' => health.status;
export const handler = (await createVitrine(options)).handler;
export const isMissing = (error: unknown) => error instanceof VitrineError && error.code === 'NEWS_NOT_FOUND';
export const errors = [CatalogError, UsageError];
`;

test('an embedder gets the types of the package, and a wrong field does not compile', { skip }, async t => {
  const { dir } = await install(t, 'fastify', '@types/node');
  await writeFile(join(dir, 'site.mts'), embedder);
  for (const resolution of [...nodes, bundler])
    await compile(dir, ['site.mts'], { ...resolution, types: ['node'] });
  await writeFile(
    join(dir, 'wrong.mts'),
    "import type { NewsDetail } from 'vitrine';\nexport const name = (item: NewsDetail) => item.name;\n",
  );
  await assert.rejects(
    compile(dir, ['wrong.mts'], { module: 'nodenext', types: ['node'] }),
    /wrong\.mts.*'name' does not exist/,
  );
});

const clientOfModule = `import { createClient, VitrineError, type VitrineClient } from 'vitrine/client';
import type { Change, Changes, ErrorCode, ErrorDetail, NewsDetail, NewsListItem, NewsType, Page, Pagination, PriceRecord, ProductRecord, RecommendedConfiguration } from 'vitrine/client';
export const client: VitrineClient = createClient('http://localhost');
export const prices = async () => (await client.listConfigurations({ product_id: 1 })).list.map(({ memory }): number => memory);
// @ts-expect-error: there is no such parameter
export const wrong = client.listNews({ colour: 'red' });
export const code = (error: VitrineError): ErrorCode | 'NO_ENVELOPE' => error.code;
export const details = (error: VitrineError): readonly ErrorDetail[] => error.details;
export interface Answers {
  products: Page<ProductRecord>;
  configuration: RecommendedConfiguration;
  price: PriceRecord;
  listed: NewsListItem;
  news: NewsDetail;
  type: NewsType;
  changes: Changes;
  change: Change;
}
export const answers = async (): Promise<Answers> => ({
  products: await client.listProducts(),
  configuration: (await client.listConfigurations({ product_id: 1 })).list[0]!,
  price: await client.getPrice({ product_id: 1, recommend_config_id: 2, duration_id: 3 }),
  listed: (await client.listNews()).list[0]!,
  news: await client.readNews(1),
  type: (await client.listNewsTypes()).list[0]!,
  changes: await client.listChanges(),
  change: (await client.listChanges()).list[0]!,
});
export const last = ({ pagination }: { pagination: Pagination }): number => pagination.total;
`;
const clientOfCommonJs = `import type { VitrineClient } from 'vitrine/client';
export async function open(): Promise<VitrineClient> {
  const { createClient } = await import('vitrine/client');
  const client = createClient('http://localhost');
  // @ts-expect-error: there is no such field
  (await client.readNews(1)).name;
  return client;
}
`;

test('the client has its types in every module system with no other package installed', { skip }, async t => {
  const { dir } = await install(t);
  await writeFile(join(dir, 'module.mts'), clientOfModule);
  await writeFile(join(dir, 'common.cts'), clientOfCommonJs);
  await writeFile(
    join(dir, 'required.cts'),
    "import client = require('vitrine/client');\nexport const open = client.createClient;\n",
  );
  const lib = ['es2022', 'dom', 'dom.iterable'];
  for (const node of nodes) await compile(dir, ['*.mts', '*.cts'], { ...node, lib });
  await compile(dir, ['*.mts'], { ...bundler, lib });
});
