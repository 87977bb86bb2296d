import type { RequestMetrics } from '../http/metrics/request-metrics.ts';
import type { Observations } from './protocol.ts';

/** Collects what a thread answers, and passes it on at the end of each turn of the event loop. */
export function openObservers(pass: (responses: Observations) => void): Pick<RequestMetrics, 'observerOf'> {
  let responses: Observations = [];
  const passAll = () => {
    pass(responses);
    responses = [];
  };
  return {
    observerOf:
      (_method, route = '') =>
      (status, seconds) => {
        if (responses.length === 0) setImmediate(passAll);
        responses.push(route, status, seconds);
      },
  };
}
