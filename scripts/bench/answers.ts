import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Pool } from 'undici';
import { startVitrine } from './servers.ts';

/** A recorded answer of Vitrine, for the servers that serve nothing else. */
export interface Answer {
  path: string;
  /** Names and values in turn, without those that Node adds. */
  headers: string[];
  etag: string | undefined;
  body: string;
}

const NODE_HEADERS = ['date', 'connection', 'keep-alive'];
const CONNECTIONS = 4;

/**
 * Records what Vitrine answers over these catalogs, each list of paths for at most so many milliseconds, into a file of a
 * directory. Returns it, and the ids of the rows in each answer, by its path.
 */
export async function recordAnswers(catalogDir: string, lists: string[][], ms: number, dir: string) {
  const file = join(dir, 'answers.jsonl');
  const ids = new Map<string, string[]>();
  const vitrine = await startVitrine(catalogDir);
  const pool = new Pool(`http://127.0.0.1:${vitrine.port}`, { connections: CONNECTIONS });
  async function* lines() {
    for (const list of lists) {
      const end = performance.now() + ms;
      for (let start = 0; start < list.length && performance.now() < end; start += CONNECTIONS) {
        const unknown = list.slice(start, start + CONNECTIONS).filter(path => !ids.has(path));
        for (const answer of await Promise.all(unknown.map(path => fetchAnswer(pool, path)))) {
          ids.set(answer.path, idsIn(answer.body));
          yield `${JSON.stringify(answer)}\n`;
        }
      }
    }
  }
  try {
    await pipeline(Readable.from(lines()), createWriteStream(file));
  } finally {
    await pool.destroy();
    await vitrine.stop();
  }
  return { file, ids };
}

async function fetchAnswer(pool: Pool, path: string): Promise<Answer> {
  const { statusCode, headers, body } = await pool.request({ method: 'GET', path });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`Vitrine answers ${statusCode} to ${path}: ${text}`);
  const kept = Object.entries(headers).filter(([name]) => !NODE_HEADERS.includes(name));
  const etag = headers.etag?.toString();
  return { path, headers: kept.flatMap(([name, value]) => [name, String(value)]), etag, body: text };
}

/** The ids of the rows in an answer, in its order. */
export function idsIn(json: string): string[] {
  return [...json.matchAll(/"id": ?(\d+)/g)].map(([, id = '']) => id);
}
