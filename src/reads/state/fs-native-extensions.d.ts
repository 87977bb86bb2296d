/** What is used of a package that has no types. */
declare module 'fs-native-extensions' {
  /** Locks the file for this descriptor until it is closed; false where another one holds it. */
  export function tryLock(fd: number): boolean;
}
