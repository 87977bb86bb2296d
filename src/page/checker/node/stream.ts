/** The base of the parser of CSV and of the streams of yauzl, none of which is used as a stream. */
export class Transform {}
export { Transform as PassThrough, Transform as Readable, Transform as Writable };
