// Tasks: a method bound to the files of a run, ready to be repeated. A task has
//   style     how `perform` ends,
//   perform   performs one operation: (which path, offset, sink, done),
//   takeUp    opens what the task keeps between operations, unless it is open,
//   release   closes it.

import { Buffers } from './buffers.mjs';
import { newNullTask } from './null.mjs';
import { PROMISE } from './operation.mjs';
import { startWorkers } from './shared_search.mjs';

export function newTask(plan, method) {
  if (method.name === 'null') {
    return newNullTask(plan);
  }
  if (plan.operation === 'read-block') {
    return newBlockTask(plan, method);
  }
  if (plan.operation === 'search' && plan.threads > 1) {
    return newSharedTask(plan, method.shared);
  }
  const { paths, operation, block, fresh, word } = plan;
  const run = method.operations[operation];
  const given = { block, buffers: new Buffers(block, fresh), word: Buffer.from(word) };
  return {
    style: method.style,
    perform: (which, _offset, sink, done) => run(paths[which], sink, given, done),
    takeUp() {},
    release() {},
  };
}

/** Reads blocks of files that stay open. */
function newBlockTask({ paths, block, fresh }, method) {
  const { open, read, close } = method.operations['read-block'];
  const buffers = new Buffers(block, fresh);
  const sources = [];
  return {
    style: method.style,
    perform: (which, offset, sink, done) => read(sources[which], paths[which], buffers.next(), offset, sink, done),
    async takeUp() {
      while (sources.length < paths.length) {
        sources.push(await open(paths[sources.length]));
      }
    },
    async release() {
      while (sources.length > 0) {
        await close(sources.pop());
      }
    },
  };
}

/** Searches on several threads, which hold no file between operations. */
function newSharedTask({ paths, threads, word }, { search, wayOfReading }) {
  const given = { word: Buffer.from(word), workers: null };
  return {
    style: PROMISE,
    perform: (which, _offset, sink) => search(paths[which], sink, given),
    async takeUp() {
      given.workers ??= await startWorkers(threads - 1, word, wayOfReading);
    },
    release() {},
  };
}
