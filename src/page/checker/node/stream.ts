/** The base of the streams of yauzl, none of which is used as a stream. */
export class Transform {}
export { Transform as PassThrough, Transform as Readable, Transform as Writable };
