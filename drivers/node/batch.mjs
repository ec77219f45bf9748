// A batch: what lies between the two readings of the clock, and what is kept out of it.

import { resourceWords } from './figures.mjs';
import { Loop } from './loop.mjs';
import { markBegin, markEnd } from './marks.mjs';
import { fillOffsets } from './offsets.mjs';
import { Sink } from './sink.mjs';

/** An operation failed; `cause` says how. */
export class OperationError extends Error {
  constructor(cause, path) {
    super('operation failed', { cause });
    this.path = path;
  }
}

/** The name of the figure that an operation counts. */
const COUNTED = { lines: 'lines', search: 'matches' };

/** Performs batches of one task and keeps the number of its operations. */
export class Performer {
  #plan;
  #task;
  #performed = 0;

  constructor(plan, task) {
    this.#plan = plan;
    this.#task = task;
  }

  /** Opens what the task holds between operations. */
  async takeUp() {
    await this.#task.takeUp();
  }

  async release() {
    await this.#task.release();
  }

  /**
   * Performs one batch and gives the words of its `done` line. `stamps` takes the times after each
   * operation, `stamps.begin` the time before; `collections` hears of the garbage collector. Both may be null.
   */
  async perform({ count, preroll }, stamps, collections) {
    const { marks, operation } = this.#plan;
    const sink = new Sink();
    const loop = this.#loopFrom(this.#performed, sink);
    const offsets = this.#offsets(this.#performed, preroll + count);
    try {
      await this.#task.takeUp();
      await loop.run(preroll, offsets, 0, null);
      clear(sink);
      const times = stamps?.times ?? null;
      collections?.begin();
      const before = process.resourceUsage();
      if (marks) {
        markBegin();
      }
      const begin = process.hrtime.bigint();
      const pending = loop.run(count, offsets, preroll, times);
      if (pending !== undefined) {
        await pending;
      }
      const end = process.hrtime.bigint();
      if (marks) {
        markEnd();
      }
      const after = process.resourceUsage();
      collections?.end();
      if (stamps !== null) {
        stamps.begin = begin;
      }
      const counted = operation in COUNTED ? ` ${COUNTED[operation]}=${sink.counted}` : '';
      return (
        `done ops=${count} ns=${end - begin} bytes=${sink.bytes} digest=${sink.wholeDigest()}${counted}` +
        resourceWords(before, after)
      );
    } catch (error) {
      throw new OperationError(error, this.#plan.paths[loop.which]);
    } finally {
      this.#performed += loop.performed;
    }
  }

  /** Performs operation number 0 for `verify`, whatever was performed before; it does not count. */
  async verify() {
    const sink = new Sink(true);
    const loop = this.#loopFrom(0, sink);
    try {
      await this.#task.takeUp();
      await loop.run(1, this.#offsets(0, 1), 0, null);
    } catch (error) {
      throw new OperationError(error, this.#plan.paths[loop.which]);
    }
    return `verified bytes=${sink.bytes} crc32=${sink.crc.toString(16).padStart(8, '0')}`;
  }

  #loopFrom(first, sink) {
    const paths = Math.max(1, this.#plan.paths.length);
    return new Loop(this.#task, paths, first % paths, sink);
  }

  #offsets(first, count) {
    if (this.#plan.operation !== 'read-block') {
      return null;
    }
    const offsets = new Float64Array(count);
    fillOffsets(offsets, first, this.#plan);
    return offsets;
  }
}

function clear(sink) {
  sink.bytes = 0;
  sink.digest = 0;
  sink.digestHigh = 0;
  sink.counted = 0;
}
