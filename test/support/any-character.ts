import fc from 'fast-check';

/** Any character of Unicode. fast-check's own takes a second to make a table of them all. */
export const anyCharacter = fc
  .oneof(fc.integer({ max: 0xd7ff, min: 0 }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(code => String.fromCodePoint(code));
