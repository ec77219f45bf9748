// copy: copy a file to one that is not there before. The size is as given: asking
// for it would be another call.

import { copyFileSync, createReadStream, createWriteStream } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

export const copySync = {
  canSync: false,
  copy(source, target, sink, { size }) {
    copyFileSync(source, target);
    sink.bytes += size;
  },
};

export const copyPromise = {
  canSync: false,
  async copy(source, target, sink, { size }) {
    await copyFile(source, target);
    sink.bytes += size;
  },
};

/** `canSync` tells whether this Node.js knows the option `flush`. */
export function copyPipeline(canSync) {
  return {
    canSync,
    async copy(source, target, sink, { size, fsync }) {
      await pipeline(createReadStream(source), createWriteStream(target, fsync ? { flush: true } : undefined));
      sink.bytes += size;
    },
  };
}
