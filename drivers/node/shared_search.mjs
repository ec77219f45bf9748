// search on several threads: each reads and counts its own part of the file, the
// main thread the first one. The other threads live as long as the driver.

import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { countIn, countInStream } from './search.mjs';

/** Starts the threads besides the main one. */
export async function startWorkers(count, word, wayOfReading) {
  const program = new URL('./search_worker.mjs', import.meta.url);
  const workers = Array.from({ length: count }, () => new Worker(program, { workerData: { word, wayOfReading } }));
  // Each says when it is there.
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  return workers;
}

export async function readSyncIndexOfShared(path, sink, given) {
  await share(path, sink, given, countPartSync);
}

export async function streamIndexOfShared(path, sink, given) {
  await share(path, sink, given, countPartStream);
}

/** Counts the words that lie in a part of a file, by reading it at once. */
export function countPartSync({ path, start, stop }, word) {
  const fd = openSync(path);
  try {
    const data = Buffer.allocUnsafe(stop - start);
    let filled = 0;
    for (let length; (length = readSync(fd, data, filled, data.length - filled, start + filled)) > 0; ) {
      filled += length;
    }
    return countIn(data.subarray(0, filled), word);
  } finally {
    closeSync(fd);
  }
}

/** The same through a stream. */
export async function countPartStream({ path, start, stop }, word) {
  const { count } = await countInStream(createReadStream(path, { start, end: stop - 1 }), word);
  return count;
}

async function share(path, sink, { word, workers }, countPart) {
  const { size } = statSync(path);
  const [first, ...others] = divide(path, size, workers.length + 1, word.length - 1);
  if (first === undefined) {
    sink.takeCount(0, 0);
    return;
  }
  // One thread's failure is told when all have answered: none is still at work then.
  const counts = others.map((part, i) => ask(workers[i], part));
  const own = (async () => countPart(first, word))();
  const answers = await Promise.allSettled([own, ...counts]);
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (failed !== undefined) {
    throw failed.reason;
  }
  sink.takeCount(size, answers.reduce((sum, answer) => sum + answer.value, 0));
}

/** Equal parts; each also reaches as far into the next as a word that starts in it. */
function divide(path, size, count, overlap) {
  const length = Math.ceil(size / count);
  const parts = [];
  for (let start = 0; start < size; start += length) {
    parts.push({ path, start, stop: Math.min(start + length + overlap, size) });
  }
  return parts;
}

async function ask(worker, part) {
  worker.postMessage(part);
  const [{ count, failure }] = await once(worker, 'message');
  if (failure !== undefined) {
    throw Object.assign(new Error(failure.message), failure);
  }
  return count;
}
