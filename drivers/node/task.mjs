// Tasks: a method bound to the files of a run, ready to be repeated. What a task
// has stands in plain_task.mjs, those that write in write_task.mjs.

import { Buffers } from './buffers.mjs';
import { newNullTask } from './null.mjs';
import { PROMISE } from './operation.mjs';
import { newPlainTask } from './plain_task.mjs';
import { Held } from './reload.mjs';
import { startWorkers } from './shared_search.mjs';
import { newCopyTask, newCreateTask, newWriteBlockTask } from './write_task.mjs';

export function newTask(plan, method, directory) {
  if (method.name === 'null') {
    return newNullTask(plan);
  }
  switch (plan.operation) {
    case 'read-block':
      return newBlockTask(plan, method);
    case 'create':
      return newCreateTask(plan, method, directory);
    case 'write-block':
      return newWriteBlockTask(plan, method, directory);
    case 'copy':
      return newCopyTask(plan, method, directory);
    case 'config-load':
      return newConfigTask(plan, method);
    case 'reload':
      return newReloadTask(plan, method);
    case 'search':
      return plan.threads > 1 ? newSharedTask(plan, method.shared) : newPathTask(plan, method);
    default:
      return newPathTask(plan, method);
  }
}

/** An operation on the path of a file. */
function newPathTask(plan, method) {
  const { paths, operation, block, buffer, word } = plan;
  const run = method.operations[operation];
  const given = { block, buffers: new Buffers(block, buffer === 'fresh'), word: Buffer.from(word) };
  const task = newPlainTask({
    style: method.style,
    phases: [(which, _at, sink, done) => run(paths[which], sink, given, done)],
  });
  // A function of the user's shows how it ends when it is called for the first time.
  return method.isOwn ? Object.defineProperty(task, 'style', { get: () => method.style }) : task;
}

/** An operation on all paths at once. */
function newConfigTask(plan, method) {
  const { paths } = plan;
  const load = method.operations['config-load'];
  return newPlainTask({ style: method.style, phases: [(_which, _at, sink) => load(paths, sink, plan)] });
}

/** Holds the data of files in memory, which is no hold on the files. */
function newReloadTask({ paths }, method) {
  const { reload } = method.operations;
  const held = [];
  return newPlainTask({
    style: method.style,
    phases: [(which, _at, sink) => reload(held[which], sink)],
    takeUp() {
      while (held.length < paths.length) {
        held.push(new Held(paths[held.length]));
      }
    },
  });
}

/** Reads blocks of files that stay open. */
function newBlockTask({ paths, block, buffer }, method) {
  const { open, read, close } = method.operations['read-block'];
  const buffers = new Buffers(block, buffer === 'fresh');
  const sources = [];
  return newPlainTask({
    style: method.style,
    phases: [(which, offset, sink, done) => read(sources[which], paths[which], buffers.next(), offset, sink, done)],
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
  });
}

/** Searches on several threads, which hold no file between operations. */
function newSharedTask({ paths, threads, word }, { search, wayOfReading }) {
  const given = { word: Buffer.from(word), workers: null };
  return newPlainTask({
    style: PROMISE,
    phases: [(which, _at, sink) => search(paths[which], sink, given)],
    async takeUp() {
      given.workers ??= await startWorkers(threads - 1, word, wayOfReading);
    },
  });
}
