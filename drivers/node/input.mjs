// Lines of standard input, read when they are wanted: while the driver waits for
// the next line, nothing else runs in it.

import { readSync } from 'node:fs';

const NEWLINE = 10;

export class LineReader {
  #fd;
  #piece = Buffer.alloc(65536);
  #pending = Buffer.alloc(0);

  constructor(fd) {
    this.#fd = fd;
  }

  /** The next line without its newline, or null at the end of the input. */
  next() {
    for (;;) {
      const end = this.#pending.indexOf(NEWLINE);
      if (end !== -1) {
        return this.#cut(end, end + 1);
      }
      const length = this.#read();
      if (length === 0) {
        const rest = this.#pending.length;
        return rest === 0 ? null : this.#cut(rest, rest);
      }
      this.#pending = Buffer.concat([this.#pending, this.#piece.subarray(0, length)]);
    }
  }

  #cut(end, next) {
    const line = this.#pending.toString('utf8', 0, end);
    this.#pending = this.#pending.subarray(next);
    return line;
  }

  #read() {
    for (;;) {
      try {
        return readSync(this.#fd, this.#piece);
      } catch (error) {
        if (error.code !== 'EAGAIN') {
          throw error;
        }
        // Another program made the stream non-blocking.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      }
    }
  }
}
