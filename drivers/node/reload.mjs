// reload: make sure that what is held of a file is what the file holds.

import { closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';

/** A file's data, and how the file looked when it was read. */
export class Held {
  constructor(path) {
    this.path = path;
    this.read();
  }

  read() {
    const fd = openSync(this.path);
    try {
      const { mtimeMs, size, ino } = fstatSync(fd);
      this.mtimeMs = mtimeMs;
      this.size = size;
      this.ino = ino;
      this.data = readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  }
}

export function statSyncReload(held, sink) {
  const { mtimeMs, size, ino } = statSync(held.path);
  if (mtimeMs !== held.mtimeMs || size !== held.size || ino !== held.ino) {
    held.read();
  }
  sink.take(held.data, 0, held.data.length);
}

export function readFileSyncCompare(held, sink) {
  const data = readFileSync(held.path);
  if (!data.equals(held.data)) {
    held.data = data;
  }
  sink.take(held.data, 0, held.data.length);
}
