// hash: the MD5 of a file.

import { createHash, getHashes } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';

/** Why MD5 cannot be had, if so: some builds of OpenSSL leave it out. */
export const md5Unavailable = getHashes().includes('md5') ? undefined : 'this OpenSSL has no MD5';

export function readFileSyncMd5(path, sink) {
  const data = readFileSync(path);
  sink.takeHash(data.length, createHash('md5').update(data).digest());
}

export async function streamMd5(path, sink) {
  const hash = createHash('md5');
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  sink.takeHash(bytes, hash.digest());
}
