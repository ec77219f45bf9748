// open-write-close: open a file for writing and close it.

import { closeSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';

export function openSyncUpdate(path) {
  closeSync(openSync(path, 'r+'));
}

// 'w' truncates the file, and creates it where there is none.
export function openSyncWrite(path) {
  closeSync(openSync(path, 'w'));
}

export async function openPromiseUpdate(path) {
  const handle = await open(path, 'r+');
  await handle.close();
}
