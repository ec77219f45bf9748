// A batch: what lies between the two readings of the clock, and what is kept out of it.

import { UnsupportedError } from './failure.mjs';
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

const HAS_OFFSETS = ['read-block', 'write-block'];

/** Performs batches of one task and keeps the number of its operations. */
export class Performer {
  #plan;
  #task;
  #performed = 0;

  constructor(plan, task) {
    this.#plan = plan;
    this.#task = task;
  }

  /** How many parts the operations of a batch come in. */
  get phases() {
    return this.#task.phases.length;
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
    const task = this.#task;
    const sink = new Sink();
    const offsets = this.#offsets(this.#performed, preroll + count);
    let loops = this.#loopsFrom(this.#performed, sink);
    try {
      await task.takeUp();
      if (preroll > 0) {
        await this.#performUntimed(this.#performed, preroll, loops, offsets);
        this.#performed += preroll;
        loops = this.#loopsFrom(this.#performed, sink);
      }
      clear(sink);
      await task.begin(this.#performed, count);
      const times = loops.map((_, phase) => stamps?.phase(phase) ?? null);
      collections?.begin();
      const before = process.resourceUsage();
      if (marks) {
        markBegin();
      }
      const begin = process.hrtime.bigint();
      for (let phase = 0; phase < loops.length; phase++) {
        const pending = loops[phase].run(count, offsets, preroll, times[phase]);
        if (pending !== undefined) {
          await pending;
        }
      }
      if (task.finish !== null) {
        await task.finish();
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
      await task.end();
      const counted = operation in COUNTED ? ` ${COUNTED[operation]}=${sink.counted}` : '';
      return (
        `done ops=${count} ns=${end - begin} bytes=${sink.bytes} digest=${sink.wholeDigest()}${counted}` +
        resourceWords(before, after)
      );
    } catch (error) {
      throw await this.#failed(error, loops);
    } finally {
      this.#performed += loops[0].performed;
    }
  }

  /** Performs operation number 0 for `verify`, whatever was performed before; it does not count. */
  async verify() {
    const { readBack, takeUp } = this.#task;
    const sink = new Sink(true);
    // What is written is not what counts, but what then stands in the file.
    const loops = this.#loopsFrom(0, readBack === null ? sink : new Sink());
    try {
      await takeUp();
      await this.#performUntimed(0, 1, loops, this.#offsets(0, 1));
      readBack?.(sink);
    } catch (error) {
      throw await this.#failed(error, loops);
    }
    return `verified bytes=${sink.bytes} crc32=${sink.crc.toString(16).padStart(8, '0')}`;
  }

  async #performUntimed(first, count, loops, offsets) {
    await this.#task.begin(first, count);
    for (const loop of loops) {
      await loop.run(count, offsets, 0, null);
    }
    await this.#task.finish?.();
    await this.#task.end();
  }

  /** One loop for each phase. */
  #loopsFrom(first, sink) {
    const { style, phases } = this.#task;
    const paths = Math.max(1, this.#plan.paths.length);
    return phases.map((perform) => new Loop(style, perform, paths, first % paths, sink));
  }

  /** The error to be thrown after an operation, or what comes before or after it, has failed. */
  async #failed(error, loops) {
    // What cannot be closed now is no news beside the failure.
    await Promise.resolve(this.#task.end()).catch(() => {});
    if (error instanceof UnsupportedError) {
      return error;
    }
    const loop = loops.findLast(({ performed }) => performed > 0) ?? loops[0];
    const { pathOf } = this.#task;
    const path = pathOf === null ? this.#plan.paths[loop.which] : pathOf(Math.max(0, loop.performed - 1));
    return new OperationError(error, path);
  }

  #offsets(first, count) {
    if (!HAS_OFFSETS.includes(this.#plan.operation)) {
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
