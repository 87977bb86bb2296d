/** A time given in Unix seconds, such as `2026-03-31T18:00:00Z` (RFC 3339). */
export function rfc3339(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
