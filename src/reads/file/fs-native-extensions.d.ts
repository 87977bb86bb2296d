/** The part in use of a package without types. */
declare module 'fs-native-extensions' {
  /** Locks the file until its descriptor is closed; false if another descriptor holds the lock. */
  export function tryLock(fd: number, options: { shared: boolean }): boolean;
}
