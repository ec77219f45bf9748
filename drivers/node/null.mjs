// null: the loop, the dispatch and the digest of a method, without its I/O; for
// lines, search and hash also without their work.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32 } from './crc32.mjs';
import { SYNC } from './operation.mjs';
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
    default:
      return { style: SYNC, perform: () => {}, takeUp: () => {}, release: () => {} };
  }
}

function task({ paths }, held, keep, perform) {
  return {
    style: SYNC,
    perform,
    takeUp() {
      while (held.length < paths.length) {
        held.push(keep(readFileSync(paths[held.length])));
      }
    },
    // The copy is no hold on the file, and loading it again would fill the cache
    // that the caller wants to empty.
    release() {},
  };
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
