/** The long form of the soak tests, for a release: `SOAK=long npm run soak`. */
export const isLong = process.env.SOAK === 'long';

/** The reason to skip the tests of the long form alone. */
export const skipUnlessLong: string | false = !isLong && 'only with SOAK=long';

/** How many rounds a soak test takes: as many as show something new, or those of the long form. */
export function rounds(usual: number, long: number): number {
  return isLong ? long : usual;
}
