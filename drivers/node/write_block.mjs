// write-block: write one block, a part of the pool, into a file that stays open
// during a batch. It is opened, and at the end closed, outside the clock.

import { closeSync, createWriteStream, fsync, fsyncSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { shortWrite } from './failure.mjs';

export const writeBlockSync = {
  inOrder: false,
  open: (path) => openSync(path, 'r+'),
  write(fd, pool, from, length, offset, sink) {
    if (writeSync(fd, pool, from, length, offset) < length) {
      throw shortWrite();
    }
    sink.take(pool, from, from + length);
  },
  sync: (fd) => fsyncSync(fd),
  close: (fd) => closeSync(fd),
};

export const writeBlockPromise = {
  inOrder: false,
  open: (path) => open(path, 'r+'),
  async write(handle, pool, from, length, offset, sink) {
    const { bytesWritten } = await handle.write(pool, from, length, offset);
    if (bytesWritten < length) {
      throw shortWrite();
    }
    sink.take(pool, from, from + length);
  },
  sync: (handle) => handle.sync(),
  close: (handle) => handle.close(),
};

export const writeBlockStream = {
  inOrder: true,
  async open(path, start) {
    const ordered = { path, stream: null, position: start };
    await openStream(ordered);
    return ordered;
  },
  write(ordered, pool, from, length, offset, sink, done) {
    if (offset !== ordered.position) {
      // The order has come round to the file's start, and a stream goes one way only.
      const again = () => writeBlockStream.write(ordered, pool, from, length, offset, sink, done);
      reopenStream(ordered, offset).then(again, done);
      return;
    }
    ordered.position += length;
    ordered.stream.write(pool.subarray(from, from + length), (error) => {
      if (error) {
        done(error);
        return;
      }
      sink.take(pool, from, from + length);
      done(null);
    });
  },
  sync: ({ stream }) => promisify(fsync)(stream.fd),
  close: closeStream,
};

async function openStream(ordered) {
  ordered.stream = createWriteStream(ordered.path, { flags: 'r+', start: ordered.position });
  await once(ordered.stream, 'open');
  // What goes wrong is told to the write; without a listener it would end the process too.
  ordered.stream.on('error', () => {});
}

async function reopenStream(ordered, position) {
  await closeStream(ordered);
  ordered.position = position;
  await openStream(ordered);
}

async function closeStream({ stream }) {
  if (!stream.closed) {
    stream.end();
    await once(stream, 'close');
  }
}
