// The memory that methods with a caller's buffer read into.

/** Gives each operation its buffer: always the same one, or a new one. */
export class Buffers {
  #length;
  #reused = null;

  constructor(length, fresh) {
    this.#length = length;
    if (!fresh) {
      // JavaScript cannot ask for the start of a page. Filled, so that every page is there.
      this.#reused = Buffer.alloc(length, 1);
    }
  }

  /** The buffer of the next operation; a new one is for the file's bytes alone, so it is not cleared. */
  next() {
    return this.#reused ?? Buffer.allocUnsafe(this.#length);
  }
}
