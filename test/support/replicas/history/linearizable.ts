/** A read that was answered: times are milliseconds of one clock, before the request and after its answer. */
export interface Read {
  id: number;
  /** The count in the answer. */
  value: number;
  start: number;
  end: number;
}

/**
 * What in these reads contradicts one counter for each news item that all share, for people: a value that was given
 * twice, or a smaller value that was asked for after a larger one had been answered. If there is nothing of that kind,
 * the order of the values is one in which the reads may have happened one by one.
 */
export function violations(reads: Iterable<Read>): string[] {
  return [...byItem(reads)].flatMap(([id, reads]) =>
    contradictions(reads).map(what => `news item ${id}: ${what}`),
  );
}

/** The reads of each news item. */
export function byItem(reads: Iterable<Read>): Map<number, Read[]> {
  const items = new Map<number, Read[]>();
  for (const read of reads) {
    const item = items.get(read.id) ?? [];
    item.push(read);
    items.set(read.id, item);
  }
  return items;
}

function contradictions(reads: Read[]): string[] {
  const byValue = reads.toSorted((one, other) => one.value - other.value);
  const found: string[] = [];
  /** Of the reads with smaller values, the one that began last. */
  let latest: Read | undefined;
  let previous: Read | undefined;
  for (const read of byValue) {
    if (read.value === previous?.value) found.push(`${read.value} was given twice`);
    if (latest && read.end < latest.start)
      found.push(
        `${latest.value} was asked for ${ms(latest.start - read.end)} after ${read.value} was answered`,
      );
    if (!latest || read.start > latest.start) latest = read;
    previous = read;
  }
  return found;
}

function ms(time: number): string {
  return `${time.toFixed(1)} ms`;
}
