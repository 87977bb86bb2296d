import type { Snapshot } from '../catalog/snapshot.ts';

/** Has something made of a snapshot when it is first asked for, and dropped together with the snapshot. */
export function oncePerSnapshot<Made>(make: (snapshot: Snapshot) => Made): (snapshot: Snapshot) => Made {
  const made = new WeakMap<Snapshot, Made>();
  return snapshot => {
    let thing = made.get(snapshot);
    if (thing === undefined) {
      thing = make(snapshot);
      made.set(snapshot, thing);
    }
    return thing;
  };
}
