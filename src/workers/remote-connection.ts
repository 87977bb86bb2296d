import { Duplex } from 'node:stream';
import type { OwnerMessage } from './protocol.ts';

/** A connection of another thread, as a stream that node:http takes for a socket: the client's bytes, and those for it. */
export class RemoteConnection extends Duplex {
  readonly #id: number;
  readonly #post: (message: OwnerMessage, bytes?: Uint8Array) => void;
  readonly remoteAddress: string | undefined;
  #onSent: (() => void) | undefined;

  constructor(
    id: number,
    remoteAddress: string | undefined,
    post: (message: OwnerMessage, bytes?: Uint8Array) => void,
  ) {
    super();
    this.#id = id;
    this.remoteAddress = remoteAddress;
    this.#post = post;
    // A client that resets its connection is no error.
    this.on('error', () => {});
  }

  /** Takes bytes of the client. */
  receive(bytes: Uint8Array): void {
    this.push(bytes);
  }

  /** The client has taken what was last written. */
  sent(): void {
    const onSent = this.#onSent;
    this.#onSent = undefined;
    onSent?.();
  }

  /** Whoever answers the client's request has sent all. */
  answered(): void {
    this.#post({ type: 'answered', id: this.#id });
  }

  override _read(): void {}

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    // In memory of its own, which moves to the other thread.
    const bytes = Uint8Array.from(chunk);
    this.#onSent = done;
    this.#post({ type: 'send', id: this.#id, bytes }, bytes);
  }

  override _final(done: () => void): void {
    this.#post({ type: 'end', id: this.#id });
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#post({ type: 'destroy', id: this.#id });
    this.sent();
    done(error);
  }
}
