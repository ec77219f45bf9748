// The loop over operations: the only code, besides the methods, that runs while
// the clock does. One loop for each way in which methods answer.

import { CALLBACK, PROMISE } from './operation.mjs';

/** Repeats one phase of a task over the paths in turn. */
export class Loop {
  /** The path of the next operation, or of the one that failed. */
  which;
  performed = 0;

  constructor(style, perform, paths, which, sink) {
    this.style = style;
    this.perform = perform;
    this.paths = paths;
    this.which = which;
    this.sink = sink;
  }

  /**
   * Performs count operations; the first one's offset is offsets[from]. Where offsets are null, they get their number.
   * With stamps, the clock is read after each. Returns a promise where the task does not end before.
   */
  run(count, offsets, from, stamps) {
    switch (this.style) {
      case PROMISE:
        return this.#runPromises(count, offsets, from, stamps);
      case CALLBACK:
        return this.#runCallbacks(count, offsets, from, stamps);
      default:
        return this.#runSync(count, offsets, from, stamps);
    }
  }

  #runSync(count, offsets, from, stamps) {
    const { sink, perform } = this;
    for (let i = 0; i < count; i++) {
      this.#begin();
      perform(this.which, offsets === null ? i : offsets[from + i], sink);
      this.#end(i, stamps);
    }
  }

  async #runPromises(count, offsets, from, stamps) {
    const { sink, perform } = this;
    for (let i = 0; i < count; i++) {
      this.#begin();
      await perform(this.which, offsets === null ? i : offsets[from + i], sink);
      this.#end(i, stamps);
    }
  }

  #runCallbacks(count, offsets, from, stamps) {
    const { sink, perform } = this;
    return new Promise((resolve, reject) => {
      let i = 0;
      const start = () => {
        this.#begin();
        perform(this.which, offsets === null ? i : offsets[from + i], sink, done);
      };
      const done = (error) => {
        if (error) {
          reject(error);
          return;
        }
        this.#end(i, stamps);
        if (++i === count) {
          resolve();
        } else {
          start();
        }
      };
      if (count === 0) {
        resolve();
      } else {
        start();
      }
    });
  }

  #begin() {
    this.sink.position = 0;
    this.performed++;
  }

  #end(i, stamps) {
    if (++this.which === this.paths) {
      this.which = 0;
    }
    if (stamps !== null) {
      stamps[i] = process.hrtime.bigint();
    }
  }
}
