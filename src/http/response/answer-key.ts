/** A key for what a request asks for: the same for all addresses that mean the same. */
export function answerKey(routeUrl: string, ...parameters: (object | undefined)[]): string {
  let key = routeUrl;
  for (const [name, value] of parameters.flatMap(values => Object.entries(values ?? {}))) {
    const text = String(value);
    // With its length, a keyword does not pass for more parameters.
    key += ` ${name} ${text.length} ${text}`;
  }
  return key;
}
