// open-close: open an existing file for reading and close it.

import { close, closeSync, open, openSync } from 'node:fs';
import { open as openPromise } from 'node:fs/promises';

export function openSyncClose(path) {
  closeSync(openSync(path));
}

export function openCallbackClose(path, _sink, _given, done) {
  open(path, (error, fd) => {
    if (error) {
      done(error);
    } else {
      close(fd, done);
    }
  });
}

export async function openPromiseClose(path) {
  const handle = await openPromise(path);
  await handle.close();
}
