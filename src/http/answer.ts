import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { FastifySchema } from 'fastify';
import type { Snapshot } from '../catalog/snapshot.ts';
import type { Documented } from './documented.ts';
import { Envelope, NotModified } from './envelope.ts';

/**
 * Text in UTF-8. Where it is short, it is best a string with a character for each byte (latin1), which node:http sends
 * together with the headers in one piece.
 */
export type Body = Buffer | string;

/** A successful answer, whose body is yet to be made. */
export interface Answer {
  /** The ETag of what caches may keep if they ask each time; none for what they may not keep. */
  tag?: string;
  /** Whether the same question still has this answer. Without it, neither is to be remembered. */
  isCurrent?(): boolean;
  /** The content type of the body: JSON where none is given. */
  type?: string;
  /** The envelope, where it is JSON. */
  body(): Body;
}

/** What is asked of an endpoint. */
export interface Question<Parameters> {
  parameters: Parameters;
  /** The set that it is answered from, whatever is loaded meanwhile. */
  snapshot: Snapshot;
  /** HEAD is answered as GET would be, and counts nothing. */
  isHead: boolean;
}

/** An endpoint that answers from the set: those of the contract (SPEC 4), and those of the page. */
export interface Endpoint {
  /** Below the place where the API is mounted. A parameter in it is the last part, such as `/news/:id`. */
  path: string;
  parameters: TObject;
  schema: Documented & FastifySchema;
  /** `parameters` are as their schema says. @throws ApiError where there is nothing to answer with. */
  answer(question: Question<unknown>): Answer | Promise<Answer>;
}

interface Definition<Parameters> extends Documented {
  parameters: Parameters;
  /** The schema of what is in the envelope. */
  data: TSchema;
  /** Whether its answers have tags, so that they can be 304. */
  isTagged: boolean;
}

export function endpoint<Parameters extends TObject>(
  path: string,
  { parameters, data, isTagged, ...documented }: Definition<Parameters>,
  answer: (question: Question<Static<Parameters>>) => Answer | Promise<Answer>,
): Endpoint {
  const place = path.includes('/:') ? 'params' : 'querystring';
  return {
    path,
    parameters,
    schema: {
      ...documented,
      [place]: parameters,
      response: { 200: Envelope(data), ...(isTagged && { 304: NotModified }) },
    },
    // What TypeScript cannot tell: the parameters have been read by their schema.
    answer: answer as Endpoint['answer'],
  };
}
