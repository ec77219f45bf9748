// Figures beside the time. They are read outside the clock.

import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

/**
 * What the kernel counted between two calls of process.resourceUsage(), half a
 * microsecond each. Of the whole process: Node knows no figures of a thread, and the
 * asynchronous methods do their work on the threads of its pool.
 */
export function resourceWords(before, after) {
  const cpuUs = after.userCPUTime + after.systemCPUTime - before.userCPUTime - before.systemCPUTime;
  return (
    ` cpu_ns=${cpuUs * 1000}` +
    ` nivcsw=${after.involuntaryContextSwitches - before.involuntaryContextSwitches}` +
    ` minflt=${after.minorPageFault - before.minorPageFault}` +
    ` majflt=${after.majorPageFault - before.majorPageFault}`
  );
}

/** The garbage collections of one batch, which Node tells only in a later turn of its event loop. */
export class Collections {
  #entries = [];
  #observer = new PerformanceObserver((list) => this.#entries.push(...list.getEntries()));
  #begin = 0;
  #end = 0;

  begin() {
    this.#observer.observe({ entryTypes: ['gc'] });
    this.#begin = performance.now();
  }

  end() {
    this.#end = performance.now();
  }

  /** Waits for the news of the last collections. */
  async words() {
    await setImmediate();
    this.#entries.push(...this.#observer.takeRecords());
    this.stop();
    const inside = this.#entries.filter(({ startTime }) => startTime >= this.#begin && startTime <= this.#end);
    const ns = inside.reduce((sum, { duration }) => sum + Math.round(duration * 1e6), 0);
    return ` gc_count=${inside.length} gc_ns=${ns}`;
  }

  stop() {
    this.#observer.disconnect();
  }
}
