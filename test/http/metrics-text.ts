import assert from 'node:assert/strict';

/** The samples of a scrape, by name and labels as they are written. */
class Samples extends Map<string, number> {
  override get(sample: string): number {
    return super.get(sample) ?? assert.fail(`no sample ${sample}`);
  }
}

/** Parses the Prometheus text format, and asserts that each metric has its help and type. */
export function parseMetrics(text: string): Samples {
  const samples = new Samples();
  for (const block of text.trim().split('\n\n')) {
    const metric = /^# HELP (\w+) \S.*\n# TYPE \1 (?:counter|gauge|histogram)((?:\n\1\S* \S+)*)$/;
    const [, , lines = ''] = metric.exec(block) ?? assert.fail(block);
    for (const line of lines.split('\n').slice(1)) {
      const [sample = '', value] = line.split(' ');
      assert.ok(!samples.has(sample), `${sample} twice`);
      samples.set(sample, Number(value));
    }
  }
  return samples;
}
