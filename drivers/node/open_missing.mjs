// open-missing: open a file for reading that does not exist, which is right.

import { close, closeSync, open, openSync } from 'node:fs';
import { open as openPromise } from 'node:fs/promises';

export function openSyncMissing(path) {
  let fd;
  try {
    fd = openSync(path);
  } catch (error) {
    if (error.code === 'ENOENT') {
      return;
    }
    throw error;
  }
  closeSync(fd);
  throw found(path);
}

export function openCallbackMissing(path, _sink, _given, done) {
  open(path, (error, fd) => {
    if (error?.code === 'ENOENT') {
      done(null);
    } else if (error) {
      done(error);
    } else {
      close(fd, () => done(found(path)));
    }
  });
}

export async function openPromiseMissing(path) {
  let handle;
  try {
    handle = await openPromise(path);
  } catch (error) {
    if (error.code === 'ENOENT') {
      return;
    }
    throw error;
  }
  await handle.close();
  throw found(path);
}

function found(path) {
  return Object.assign(new Error('the file is there'), { code: 'EEXIST', syscall: 'open', path });
}
