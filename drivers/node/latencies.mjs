// The own times of a batch's operations, and the file that they go to.

import { openSync, writeSync } from 'node:fs';
import { endianness } from 'node:os';

/** Room for the clock's reading before a batch and after each of its operations. */
export class Stamps {
  begin = 0n;

  constructor(count) {
    this.times = new BigUint64Array(count);
  }
}

export class LatencyFile {
  #fd;

  constructor(path) {
    this.#fd = openSync(path, 'a');
  }

  append({ begin, times }) {
    let last = begin;
    for (let i = 0; i < times.length; i++) {
      const now = times[i];
      times[i] = now - last;
      last = now;
    }
    const bytes = Buffer.from(times.buffer);
    if (endianness() === 'BE') {
      bytes.swap64();
    }
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#fd, bytes, written);
    }
  }
}
