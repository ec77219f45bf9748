// null: the loop, the dispatch and the digest of a method, without its I/O; for
// lines, search, hash and config-load also without their work.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { numbersIn } from './config_load.mjs';
import { newPool, pattern, PoolPlaces } from './contents.mjs';
import { crc32 } from './crc32.mjs';
import { readBack } from './directory.mjs';
import { newPlainTask } from './plain_task.mjs';
import { countIn } from './search.mjs';
import { Sink } from './sink.mjs';

const NEWLINE = 10;

/** Delivers what is already in memory. */
export function newNullTask(plan) {
  const word = Buffer.from(plan.word);
  const held = [];
  const takeHeld = (which, _offset, sink) => sink.takeAnswer(held[which]);
  switch (plan.operation) {
    case 'open-read-close':
      return task(plan, held, keepData, (which, _offset, sink) => {
        const data = held[which];
        sink.take(data, 0, Math.min(plan.block, data.length));
      });
    case 'read-whole':
    case 'reload':
      return task(plan, held, keepData, (which, _offset, sink) => {
        const data = held[which];
        sink.take(data, 0, data.length);
      });
    case 'read-block':
      return task(plan, held, keepData, (which, offset, sink) => {
        sink.take(held[which], offset, offset + plan.block);
      });
    case 'lines':
      return task(plan, held, answerLines, takeHeld);
    case 'search':
      return task(plan, held, (data) => answerSearch(data, word), takeHeld);
    case 'hash':
      return task(plan, held, answerHash, takeHeld);
    case 'config-load':
      return configTask(plan);
    case 'copy':
      return {
        ...task(plan, held, (data) => data.length, (which, _offset, sink) => {
          sink.bytes += held[which];
        }),
        readBack: (sink) => readBack(plan.paths[0], sink),
      };
    case 'write-block':
      return writeBlockTask(plan);
    case 'create':
      return createTask(plan);
    default:
      return newPlainTask({ phases: [() => {}] });
  }
}

function task({ paths }, held, keep, perform) {
  return newPlainTask({
    phases: [perform],
    takeUp() {
      while (held.length < paths.length) {
        held.push(keep(readFileSync(paths[held.length])));
      }
    },
    // Nothing to release: the copy is no hold on the file, and loading it again would fill
    // the cache that the caller wants to empty.
  });
}

function configTask({ paths }) {
  let answer = null;
  return newPlainTask({
    phases: [(_which, _at, sink) => sink.takeAnswer(answer)],
    takeUp() {
      answer ??= answerConfig(paths);
    },
  });
}

function answerConfig(paths) {
  const answer = new Sink();
  for (const path of paths) {
    const data = readFileSync(path);
    answer.bytes += data.length;
    answer.digest += numbersIn(data);
  }
  answer.crc = crc32(String(answer.digest));
  return answer;
}

function writeBlockTask(plan) {
  const { block } = plan;
  const pool = newPool(plan);
  let places = null;
  return newPlainTask({
    phases: [
      (_which, _offset, sink) => {
        const from = places.next();
        sink.take(pool, from, from + block);
      },
    ],
    begin(first) {
      places = new PoolPlaces(block, first);
    },
  });
}

/** As many phases as the methods have; the first, which writes, has the bytes. */
function createTask({ write, close, sync }) {
  const deliver = (_which, _i, sink) => {
    sink.bytes += write;
  };
  const nothing = () => {};
  const phases = [deliver];
  if (close !== 'each') {
    phases.push(...(sync === 'fsync' ? [nothing] : []), ...(close === 'all' ? [nothing] : []));
  }
  const data = pattern(write);
  return newPlainTask({ phases, readBack: (sink) => sink.take(data, 0, data.length) });
}

function keepData(data) {
  return data;
}

function answerLines(data) {
  const answer = new Sink();
  for (let start = 0; start < data.length; ) {
    const newline = data.indexOf(NEWLINE, start);
    const end = newline === -1 ? data.length : newline;
    answer.counted++;
    answer.bytes += end - start;
    answer.digest += end > start ? data[start] : 0;
    start = end + 1;
  }
  answer.crc = crc32(data);
  if (data.length > 0 && data.at(-1) !== NEWLINE) {
    answer.crc = crc32('\n', answer.crc);
  }
  return answer;
}

function answerSearch(data, word) {
  const answer = new Sink(true);
  answer.takeCount(data.length, countIn(data, word));
  return answer;
}

function answerHash(data) {
  const answer = new Sink(true);
  answer.takeHash(data.length, createHash('md5').update(data).digest());
  return answer;
}
