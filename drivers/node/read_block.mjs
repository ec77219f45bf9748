// read-block: read one block of a file that stays open. Each way has its kind of
// open file, opened and closed outside the clock.

import { closeSync, openSync, read, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { shortRead } from './failure.mjs';

const descriptor = { open: (path) => openSync(path), close: (fd) => closeSync(fd) };

export const blockSync = {
  ...descriptor,
  read(fd, path, buffer, offset, sink) {
    if (readSync(fd, buffer, 0, buffer.length, offset) < buffer.length) {
      throw shortRead(path);
    }
    sink.take(buffer, 0, buffer.length);
  },
};

export const blockCallback = {
  ...descriptor,
  read(fd, path, buffer, offset, sink, done) {
    read(fd, buffer, 0, buffer.length, offset, (error, length) => {
      if (error || length < buffer.length) {
        done(error ?? shortRead(path));
        return;
      }
      sink.take(buffer, 0, length);
      done(null);
    });
  },
};

export const blockPromise = {
  open: (path) => open(path),
  close: (handle) => handle.close(),
  async read(handle, path, buffer, offset, sink) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
    if (bytesRead < buffer.length) {
      throw shortRead(path);
    }
    sink.take(buffer, 0, bytesRead);
  },
};
