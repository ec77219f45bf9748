// Output that is written when the call returns, whatever the stream is.

import { writeSync } from 'node:fs';

export function write(fd, text) {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(fd, bytes, written);
  }
}
