import { idsIn } from '../answers.ts';
import type { RunningServer } from '../node-server.ts';

/**
 * Asks a server once, before it is measured. Its answer may name further rows, such as those that it embeds.
 *
 * @throws where it does not answer with the rows of these ids in this order.
 */
export async function requireRows({ port }: RunningServer, path: string, ids: string[]): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  const sent = idsIn(await response.text());
  const left = sent.reduce((expected, id) => (id === expected[0] ? expected.slice(1) : expected), ids);
  if (response.ok && left.length === 0) return;
  throw new Error(`${response.status} with the rows ${sent} instead of ${ids} for ${path}`);
}
