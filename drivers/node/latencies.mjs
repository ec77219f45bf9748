// The own times of a batch's operations, and the file that they go to.

import { openSync, writeSync } from 'node:fs';
import { endianness } from 'node:os';

/** Room for the clock's reading before a batch and after each of its operations, in every phase. */
export class Stamps {
  begin = 0n;

  constructor(count, phases) {
    this.count = count;
    this.times = new BigUint64Array(count * phases);
  }

  /** Those of one phase. */
  phase(number) {
    return this.times.subarray(number * this.count, (number + 1) * this.count);
  }
}

export class LatencyFile {
  #fd;

  constructor(path) {
    this.#fd = openSync(path, 'a');
  }

  append({ begin, times, count }) {
    const own = new BigUint64Array(count);
    let last = begin;
    for (let i = 0; i < times.length; i++) {
      own[i % count] += times[i] - last;
      last = times[i];
    }
    const bytes = Buffer.from(own.buffer);
    if (endianness() === 'BE') {
      bytes.swap64();
    }
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#fd, bytes, written);
    }
  }
}
