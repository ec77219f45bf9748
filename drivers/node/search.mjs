// search: count the occurrences of a word in a file, those that overlap included.
// What several threads share stands in shared_search.mjs.

import { createReadStream, readFileSync } from 'node:fs';

export function readFileSyncIndexOf(path, sink, { word }) {
  const data = readFileSync(path);
  sink.takeCount(data.length, countIn(data, word));
}

export async function streamIndexOf(path, sink, { word }) {
  const { bytes, count } = await countInStream(createReadStream(path), word);
  sink.takeCount(bytes, count);
}

/** The number of times the word, a Buffer, stands in data. */
export function countIn(data, word) {
  let count = 0;
  for (let at = data.indexOf(word); at !== -1; at = data.indexOf(word, at + 1)) {
    count++;
  }
  return count;
}

/** The same over the chunks of a stream, and its length. */
export async function countInStream(stream, word) {
  // Too short for a whole word, so that an occurrence across the border counts once.
  const overlap = word.length - 1;
  let tail = Buffer.alloc(0);
  let bytes = 0;
  let count = 0;
  for await (const chunk of stream) {
    const seam = Buffer.concat([tail, chunk.subarray(0, overlap)]);
    count += countIn(seam, word) + countIn(chunk, word);
    bytes += chunk.length;
    // A chunk shorter than the overlap is wholly in the seam.
    tail = lastBytes(chunk.length < overlap ? seam : chunk, overlap);
  }
  return { bytes, count };
}

function lastBytes(data, length) {
  return data.subarray(Math.max(0, data.length - length));
}
