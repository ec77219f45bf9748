// read-whole: open, read the whole file, close.

import { closeSync, createReadStream, openSync, readFile, readFileSync, readSync } from 'node:fs';
import { readFile as readFilePromise } from 'node:fs/promises';

export function readFileSyncWhole(path, sink) {
  const data = readFileSync(path);
  sink.take(data, 0, data.length);
}

export function readFileSyncLatin1(path, sink) {
  sink.takeText(readFileSync(path, 'latin1'));
}

export function readFileCallback(path, sink, _given, done) {
  readFile(path, (error, data) => {
    if (error) {
      done(error);
      return;
    }
    sink.take(data, 0, data.length);
    done(null);
  });
}

export async function readFilePromiseWhole(path, sink) {
  const data = await readFilePromise(path);
  sink.take(data, 0, data.length);
}

export function openSyncReadSyncWhole(path, sink, { buffers }) {
  const fd = openSync(path);
  try {
    const buffer = buffers.next();
    for (let length; (length = readSync(fd, buffer)) > 0; ) {
      sink.take(buffer, 0, length);
    }
  } finally {
    closeSync(fd);
  }
}

export async function streamWhole(path, sink) {
  for await (const chunk of createReadStream(path)) {
    sink.take(chunk, 0, chunk.length);
  }
}
