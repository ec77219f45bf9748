// create: create a file, write into it, close it. `each` does it all for one
// file; the other functions are its parts, for files that are closed together at
// the end or after the clock. A way that has none closes by itself.

import { closeSync, fsyncSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { shortWrite } from './failure.mjs';

export const createOpenSync = {
  canSync: true,
  each(path, sink, { data, fsync }) {
    const fd = openSync(path, 'w');
    try {
      if (data.length > 0) {
        createOpenSync.write(fd, data);
      }
      if (fsync) {
        fsyncSync(fd);
      }
    } finally {
      closeSync(fd);
    }
    sink.bytes += data.length;
  },
  open: (path) => openSync(path, 'w'),
  write(fd, data) {
    if (writeSync(fd, data) < data.length) {
      throw shortWrite();
    }
  },
  sync: (fd) => fsyncSync(fd),
  close: (fd) => closeSync(fd),
};

export const createOpenPromise = {
  canSync: true,
  async each(path, sink, { data, fsync }) {
    const handle = await open(path, 'w');
    try {
      if (data.length > 0) {
        await createOpenPromise.write(handle, data);
      }
      if (fsync) {
        await handle.sync();
      }
    } finally {
      await handle.close();
    }
    sink.bytes += data.length;
  },
  open: (path) => open(path, 'w'),
  async write(handle, data) {
    const { bytesWritten } = await handle.write(data);
    if (bytesWritten < data.length) {
      throw shortWrite();
    }
  },
  sync: (handle) => handle.sync(),
  close: (handle) => handle.close(),
};

/** `canSync` tells whether this Node.js knows the option `flush`. */
export function createWriteFileSync(canSync) {
  return {
    canSync,
    each(path, sink, { data, fsync }) {
      writeFileSync(path, data, fsync ? { flush: true } : undefined);
      sink.bytes += data.length;
    },
  };
}
