// What is written: the text that repeats, and the pool that blocks come from.

import { splitmix64 } from './offsets.mjs';

export const POOL_BYTES = 2 ** 20;
const PATTERN = 'fathom pattern.\n';

/** The text, repeated and cut to this many bytes. */
export function pattern(size) {
  return Buffer.alloc(size, PATTERN);
}

/** The bytes that blocks are cut from. */
export function newPool({ content, seed }) {
  if (content === 'pattern') {
    return pattern(POOL_BYTES);
  }
  const pool = Buffer.alloc(POOL_BYTES);
  for (let i = 0; 8 * i < POOL_BYTES; i++) {
    pool.writeBigUInt64LE(splitmix64(seed + BigInt(i)), 8 * i);
  }
  return pool;
}

/** Where in the pool the blocks of operations number first, first + 1, … begin, one after the other. */
export class PoolPlaces {
  #block;
  #choices;
  #next;

  constructor(block, first) {
    this.#block = block;
    this.#choices = Math.floor(POOL_BYTES / block);
    this.#next = first % this.#choices;
  }

  next() {
    const place = this.#next * this.#block;
    if (++this.#next === this.#choices) {
      this.#next = 0;
    }
    return place;
  }
}
