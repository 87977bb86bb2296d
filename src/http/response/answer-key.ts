/** A key for what a request asks for: the same for all addresses that mean the same. */
export function answerKey(routeUrl: string, ...parameters: (object | undefined)[]): string {
  const parts = [routeUrl];
  for (const values of parameters) {
    for (const [name, value] of Object.entries(values ?? {})) {
      const text = String(value);
      // With its length, a keyword does not pass for more parameters.
      parts.push(name, String(text.length), text);
    }
  }
  // A string that grows by `+=` keeps each of its pieces, which takes four times the memory.
  return parts.join(' ');
}
