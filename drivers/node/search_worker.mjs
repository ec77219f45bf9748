// A thread of a shared search: counts the parts that it is sent.

import { parentPort, workerData } from 'node:worker_threads';
import { countPartStream, countPartSync } from './shared_search.mjs';

const word = Buffer.from(workerData.word);
const countPart = workerData.wayOfReading === 'stream' ? countPartStream : countPartSync;

parentPort.on('message', async (part) => {
  try {
    parentPort.postMessage({ count: await countPart(part, word) });
  } catch ({ message, code, syscall, path }) {
    parentPort.postMessage({ failure: { message, code, syscall, path } });
  }
});
parentPort.postMessage('ready');
