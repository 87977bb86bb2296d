import { Counter, Gauge, type Registry } from 'prom-client';

/** The value of a metric, or a value for each value of its label. */
type Samples = number | Record<string, number>;

/**
 * Adds a metric that is read anew for every scrape. A name that ends with `_total` makes it a counter, any other a
 * gauge.
 */
export function addMetric(
  registry: Registry,
  name: string,
  help: string,
  read: () => Samples | Promise<Samples>,
  label = '',
): void {
  const Metric = name.endsWith('_total') ? Counter : Gauge;
  new Metric({
    name,
    help,
    labelNames: label === '' ? [] : [label],
    registers: [registry],
    async collect() {
      const samples = await read();
      this.reset();
      if (typeof samples === 'number') this.inc(samples);
      else for (const [value, sample] of Object.entries(samples)) this.inc({ [label]: value }, sample);
    },
  });
}
