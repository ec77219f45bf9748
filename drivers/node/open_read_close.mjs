// open-read-close: open, one read at offset 0, close.

import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';

export function openSyncReadSync(path, sink, { buffers }) {
  const fd = openSync(path);
  try {
    const buffer = buffers.next();
    sink.take(buffer, 0, readSync(fd, buffer));
  } finally {
    closeSync(fd);
  }
}

export async function openPromiseRead(path, sink, { buffers }) {
  const handle = await open(path);
  try {
    const { bytesRead, buffer } = await handle.read(buffers.next());
    sink.take(buffer, 0, bytesRead);
  } finally {
    await handle.close();
  }
}

// Without `end` the stream would read the next chunk while this one is looked at.
export async function streamFirstChunk(path, sink, { block }) {
  for await (const chunk of createReadStream(path, { highWaterMark: block, end: block - 1 })) {
    sink.take(chunk, 0, chunk.length);
  }
}
