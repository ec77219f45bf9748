// Tasks that write. Each batch has a new directory of its own, made and filled
// before its clock starts.

import { closeSync, openSync } from 'node:fs';
import { pattern, newPool, PoolPlaces } from './contents.mjs';
import { checkRoom, makeExisting, readBack } from './directory.mjs';
import { fillOffsets } from './offsets.mjs';
import { PROMISE } from './operation.mjs';
import { newPlainTask } from './plain_task.mjs';

export function newCreateTask(plan, method, directory) {
  const way = method.operations.create;
  const given = { data: pattern(plan.write), fsync: plan.sync === 'fsync' };
  const phased = plan.close !== 'each';
  const state = { paths: [], files: [] };
  return newPlainTask({
    style: method.style,
    phases: phased
      ? createPhases(plan, way, method.style, given, state)
      : [(_which, i, sink) => way.each(state.paths[i], sink, given)],
    begin(_first, count) {
      if (phased) {
        checkRoom(count);
        state.files = new Array(count).fill(null);
      }
      const names = Array.from({ length: count }, (_, i) => `f${i}`);
      const prepared = plan.existing === 'fresh' ? null : directory.prepared(names);
      state.paths = prepared ?? directory.place(names);
      if (prepared === null) {
        makeExisting(state.paths, plan.existing);
      }
    },
    async end() {
      for (const file of state.files) {
        if (file !== null) {
          await way.close(file);
        }
      }
      state.files = [];
    },
    readBack: (sink) => readBack(state.paths[0], sink),
    pathOf: (i) => state.paths[i] ?? plan.directory,
  });
}

/** Each file is opened and written; then all are closed. */
function createPhases(plan, way, style, { data }, state) {
  const parts = style === PROMISE ? promiseParts(way, data, state) : syncParts(way, data, state);
  const phases = [parts.open];
  if (plan.sync === 'fsync') {
    phases.push(parts.sync);
  }
  if (plan.close === 'all') {
    phases.push(parts.close);
  }
  return phases;
}

function syncParts(way, data, state) {
  return {
    open(_which, i, sink) {
      state.files[i] = way.open(state.paths[i]);
      if (data.length > 0) {
        way.write(state.files[i], data);
        sink.bytes += data.length;
      }
    },
    sync: (_which, i) => way.sync(state.files[i]),
    close(_which, i) {
      way.close(state.files[i]);
      state.files[i] = null;
    },
  };
}

function promiseParts(way, data, state) {
  return {
    async open(_which, i, sink) {
      state.files[i] = await way.open(state.paths[i]);
      if (data.length > 0) {
        await way.write(state.files[i], data);
        sink.bytes += data.length;
      }
    },
    sync: (_which, i) => way.sync(state.files[i]),
    async close(_which, i) {
      await way.close(state.files[i]);
      state.files[i] = null;
    },
  };
}

export function newWriteBlockTask(plan, method, directory) {
  const { block, existing, size, sync } = plan;
  const way = method.operations['write-block'];
  const pool = newPool(plan);
  let path = plan.directory;
  let file = null;
  let places = null;
  return newPlainTask({
    style: method.style,
    phases: [(_which, offset, sink, done) => way.write(file, pool, places.next(), block, offset, sink, done)],
    async begin(first) {
      if (existing === 'data') {
        path = directory.fileWithData(size);
      } else {
        [path] = directory.replace(['f']);
        closeSync(openSync(path, 'wx'));
      }
      places = new PoolPlaces(block, first);
      file = await way.open(path, offsetOf(first, plan));
    },
    finish: sync === 'fsync' ? () => way.sync(file) : null,
    async end() {
      if (file !== null) {
        const open = file;
        file = null;
        await way.close(open);
      }
    },
    readBack: (sink) => readBack(path, sink, offsetOf(0, plan), block),
    pathOf: () => path,
  });
}

function offsetOf(number, plan) {
  const offsets = new Float64Array(1);
  fillOffsets(offsets, number, plan);
  return offsets[0];
}

export function newCopyTask(plan, method, directory) {
  const { copy } = method.operations.copy;
  const given = { size: plan.size, fsync: plan.sync === 'fsync' };
  let targets = [];
  return newPlainTask({
    style: method.style,
    phases: [(which, i, sink) => copy(plan.paths[which], targets[i], sink, given)],
    begin(_first, count) {
      targets = directory.replace(Array.from({ length: count }, (_, i) => `c${i}`));
    },
    readBack: (sink) => readBack(targets[0], sink),
  });
}
