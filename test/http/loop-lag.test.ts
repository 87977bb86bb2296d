import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Registry } from 'prom-client';
import { openLoopLag } from '../../src/http/metrics/loop-lag.ts';

/** The lag of a simulated loop. `pass` lets a timer of 10 ms fire, late by so many milliseconds. */
function start(t: TestContext) {
  let now = 1000;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setInterval'] });
  const registry = new Registry();
  const lag = openLoopLag(registry);
  const milliseconds = async (name: string) => {
    const [sample] =
      (await registry.getSingleMetric(`nodejs_eventloop_lag_${name}_seconds`)?.get())?.values ?? [];
    return Math.round((sample?.value ?? 0) * 1000);
  };
  const pass = (late: number) => {
    now += 10 + late;
    t.mock.timers.tick(10);
  };
  return { lag, milliseconds, pass };
}

test('the lag is measured from the first scrape on, and anew for each', async t => {
  const { lag, milliseconds, pass } = start(t);
  pass(500);
  lag.update();
  assert.equal(await milliseconds('max'), 0);
  for (const late of [0, 0, 40]) pass(late);
  lag.update();
  assert.equal(await milliseconds('max'), 40);
  assert.equal(await milliseconds('mean'), 13);
  assert.equal(await milliseconds('p50'), 0);
  assert.equal(await milliseconds('p99'), 40);
  pass(5);
  lag.update();
  assert.equal(await milliseconds('max'), 5);
});

test('nothing is measured after close', async t => {
  const { lag, milliseconds, pass } = start(t);
  lag.update();
  lag.close();
  pass(40);
  lag.update();
  assert.equal(await milliseconds('max'), 0);
});
