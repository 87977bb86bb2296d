/** A map that forgets everything rather than hold more than so many bytes. */
export interface BoundedMap<Key, Value> {
  get(key: Key): Value | undefined;
  /** `bytes`: about how many the key and the value take. */
  set(key: Key, value: Value, bytes: number): void;
  /** Something in it has grown. */
  grow(bytes: number): void;
}

export function openBoundedMap<Key, Value>(maxBytes: number): BoundedMap<Key, Value> {
  const values = new Map<Key, Value>();
  let held = 0;
  const grow = (bytes: number) => {
    held += bytes;
    if (held <= maxBytes) return;
    values.clear();
    held = bytes;
  };
  return {
    get: key => values.get(key),
    set(key, value, bytes) {
      grow(bytes);
      values.set(key, value);
    },
    grow,
  };
}
