/** A content as a tool makes it, keywords that find it, and keywords that do not. */
export type Snippet = readonly [from: string, content: string, found: string[], notFound: string[]];
