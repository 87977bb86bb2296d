import assert from 'node:assert/strict';

/** The samples of a scrape, by name and labels as they are written. */
class Samples extends Map<string, number> {
  override get(sample: string): number {
    return super.get(sample) ?? assert.fail(`no sample ${sample}`);
  }
}

/** Parses the Prometheus text format, and asserts that each metric has its help, type and samples. */
export function parseMetrics(text: string): Samples {
  assert.ok(text.endsWith('\n'));
  const samples = new Samples();
  for (const block of text.trim().split('\n\n')) {
    const [help = '', type = '', ...lines] = block.split('\n');
    const [, name = ''] = /^# HELP ([a-z][a-z0-9_]*) \S.*$/.exec(help) ?? assert.fail(help);
    const [, kind] = /^# TYPE [a-z0-9_]+ (counter|gauge|histogram)$/.exec(type) ?? assert.fail(type);
    if (!name.startsWith('nodejs_')) assert.equal(kind === 'counter', name.endsWith('_total'), name);
    for (const line of lines) {
      const [, sample = '', value] =
        /^([a-z0-9_]+(?:\{(?:[a-z_]+="[^"\\]*",?)+\})?) (-?[\d.e+-]+|Nan)$/.exec(line) ?? assert.fail(line);
      const ofHistogram = kind === 'histogram' ? '(_bucket|_sum|_count)' : '';
      assert.match(sample, new RegExp(`^${name}${ofHistogram}($|\\{)`));
      assert.ok(!samples.has(sample), `${sample} twice`);
      samples.set(sample, Number(value));
    }
  }
  return samples;
}
