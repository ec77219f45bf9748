// The directory that operations write in, and what stands there beforehand. All of
// this happens while the clock is stopped.

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { pattern } from './contents.mjs';
import { UnsupportedError } from './failure.mjs';

const EXISTING_BYTES = 4096;
const PIECE_BYTES = 2 ** 20;

/** Gives each batch a new directory of its own: 0, 1, … */
export class Directory {
  #path;
  #made = 0;
  #last = [];
  #dataFile = null;

  constructor(path) {
    this.#path = path;
  }

  /** Paths of these names in a new directory. */
  place(names) {
    const folder = join(this.#path, String(this.#made++));
    mkdirSync(folder);
    return names.map((name) => join(folder, name));
  }

  /**
   * Paths in the directory that whoever asked for the batch has made, with the files that it
   * is to find; null where there is none.
   */
  prepared(names) {
    const folder = join(this.#path, 'prepared');
    return existsSync(folder) ? names.map((name) => join(folder, name)) : null;
  }

  /** Paths in a new directory; what the batch before had of this kind is removed. */
  replace(names) {
    for (const path of this.#last) {
      // An operation that failed may not have made its file.
      rmSync(path, { force: true });
    }
    this.#last = [];
    return (this.#last = this.place(names));
  }

  /** The one file that all batches overwrite; made at the first call. */
  fileWithData(size) {
    if (this.#dataFile === null) {
      const [path] = this.place(['f']);
      makeDataFile(path, size);
      this.#dataFile = path;
    }
    return this.#dataFile;
  }
}

/** Makes the files that `create` finds. */
export function makeExisting(paths, existing) {
  if (existing === 'fresh') {
    return;
  }
  const data = existing === 'data' ? pattern(EXISTING_BYTES) : '';
  for (const path of paths) {
    writeFileSync(path, data, { flag: 'wx' });
  }
  if (existing === 'data') {
    // Synced when all are written: the first sync does most of the work for the others.
    for (const path of paths) {
      const fd = openSync(path);
      fsyncSync(fd);
      closeSync(fd);
    }
  }
}

/** A file of this size, on the device. */
function makeDataFile(path, size) {
  const piece = pattern(PIECE_BYTES);
  const fd = openSync(path, 'wx');
  try {
    for (let written = 0; written < size; ) {
      // A whole number of repetitions goes before it, unless a write was short.
      const from = written % 16;
      written += writeSync(fd, piece, from, Math.min(piece.length - from, size - written));
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Delivers what stands in a file from an offset on: so many bytes, or all. */
export function readBack(path, sink, offset = 0, length = Infinity) {
  const piece = Buffer.alloc(PIECE_BYTES);
  const fd = openSync(path);
  try {
    sink.position = 0;
    for (let done = 0, got; done < length; done += got) {
      got = readSync(fd, piece, 0, Math.min(piece.length, length - done), offset + done);
      if (got === 0) {
        break;
      }
      sink.take(piece, 0, got);
    }
  } finally {
    closeSync(fd);
  }
}

/** Node.js has raised its limit on open files as far as it may; more of them cannot be had. */
export function checkRoom(count) {
  const [, limit] = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
  // The listing's own descriptor is among them, and closed afterward.
  const room = limit === 'unlimited' ? Infinity : Number(limit) - readdirSync('/proc/self/fd').length + 1;
  if (count > room) {
    throw new UnsupportedError(`${count} files open at once, where the limit leaves room for ${room}`);
  }
}
