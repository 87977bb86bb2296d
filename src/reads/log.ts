/** The part of a logger that counting needs. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
