// The table of methods: the one list that `describe` prints and `run` looks in. What each does in
// words stands in driver.toml; how it does it, in the file of its operation.

import { readFilePromiseParse, readFileSyncParse } from './config_load.mjs';
import { copyPipeline, copyPromise, copySync } from './copy.mjs';
import { createOpenPromise, createOpenSync, createWriteFileSync } from './create.mjs';
import { md5Unavailable, readFileSyncMd5, streamMd5 } from './hash.mjs';
import { handleReadLines, readFileSyncSplit, readlineStream } from './lines.mjs';
import { openCallbackClose, openPromiseClose, openSyncClose } from './open_close.mjs';
import { openCallbackMissing, openPromiseMissing, openSyncMissing } from './open_missing.mjs';
import { openPromiseRead, openSyncReadSync, streamFirstChunk } from './open_read_close.mjs';
import { openPromiseUpdate, openSyncUpdate, openSyncWrite } from './open_write_close.mjs';
import { CALLBACK, OPERATIONS, PROMISE, SYNC } from './operation.mjs';
import { blockCallback, blockPromise, blockSync } from './read_block.mjs';
import {
  openSyncReadSyncWhole,
  readFileCallback,
  readFilePromiseWhole,
  readFileSyncLatin1,
  readFileSyncWhole,
  streamWhole,
} from './read_whole.mjs';
import { readFileSyncCompare, statSyncReload } from './reload.mjs';
import { readFileSyncIndexOf, streamIndexOf } from './search.mjs';
import { readSyncIndexOfShared, streamIndexOfShared } from './shared_search.mjs';
import { writeBlockPromise, writeBlockStream, writeBlockSync } from './write_block.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
const readLinesUnavailable =
  major > 18 || (major === 18 && minor >= 11) ? undefined : 'FileHandle.readLines came with Node.js 18.11';
const knowsFlush = major > 20 || (major === 20 && minor >= 10);

/**
 * A method has a function for each operation it can perform (for some an object,
 * see read_block.mjs, create.mjs, write_block.mjs, copy.mjs). `shared` takes the place of its search on several threads.
 */
export const methods = [
  { name: 'fs.openSync', style: SYNC, operations: { 'open-close': openSyncClose, 'open-missing': openSyncMissing } },
  { name: 'fs.open', style: CALLBACK, operations: { 'open-close': openCallbackClose, 'open-missing': openCallbackMissing } },
  { name: 'fs.promises.open', style: PROMISE, operations: { 'open-close': openPromiseClose, 'open-missing': openPromiseMissing } },
  { name: 'fs.openSync+r+', style: SYNC, operations: { 'open-write-close': openSyncUpdate } },
  { name: 'fs.openSync+w', style: SYNC, operations: { 'open-write-close': openSyncWrite, create: createOpenSync } },
  { name: 'fs.promises.open+r+', style: PROMISE, operations: { 'open-write-close': openPromiseUpdate } },
  { name: 'fs.openSync+readSync', style: SYNC, operations: { 'open-read-close': openSyncReadSync, 'read-whole': openSyncReadSyncWhole } },
  { name: 'fs.promises.open+read', style: PROMISE, operations: { 'open-read-close': openPromiseRead } },
  { name: 'fs.createReadStream', style: PROMISE, operations: { 'open-read-close': streamFirstChunk, 'read-whole': streamWhole } },
  { name: 'fs.readFileSync', style: SYNC, operations: { 'read-whole': readFileSyncWhole } },
  { name: 'fs.readFileSync+latin1', style: SYNC, operations: { 'read-whole': readFileSyncLatin1 } },
  { name: 'fs.readFile', style: CALLBACK, operations: { 'read-whole': readFileCallback } },
  { name: 'fs.promises.readFile', style: PROMISE, operations: { 'read-whole': readFilePromiseWhole } },
  { name: 'fs.readSync', style: SYNC, operations: { 'read-block': blockSync } },
  { name: 'fs.promises.FileHandle.read', style: PROMISE, operations: { 'read-block': blockPromise } },
  { name: 'fs.read', style: CALLBACK, operations: { 'read-block': blockCallback } },
  { name: 'readline+createReadStream', style: PROMISE, operations: { lines: readlineStream } },
  { name: 'FileHandle.readLines', style: PROMISE, operations: { lines: handleReadLines }, unavailable: readLinesUnavailable },
  { name: 'fs.readFileSync+split', style: SYNC, operations: { lines: readFileSyncSplit } },
  { name: 'fs.readFileSync+indexOf', style: SYNC, operations: { search: readFileSyncIndexOf }, shared: { search: readSyncIndexOfShared, wayOfReading: 'sync' } },
  { name: 'createReadStream+indexOf', style: PROMISE, operations: { search: streamIndexOf }, shared: { search: streamIndexOfShared, wayOfReading: 'stream' } },
  { name: 'fs.readFileSync+crypto.md5', style: SYNC, operations: { hash: readFileSyncMd5 }, unavailable: md5Unavailable },
  { name: 'createReadStream+crypto.md5', style: PROMISE, operations: { hash: streamMd5 }, unavailable: md5Unavailable },
  { name: 'fs.writeFileSync', style: SYNC, operations: { create: createWriteFileSync(knowsFlush) } },
  { name: 'fs.promises.open+w', style: PROMISE, operations: { create: createOpenPromise } },
  { name: 'fs.writeSync', style: SYNC, operations: { 'write-block': writeBlockSync } },
  { name: 'fs.promises.FileHandle.write', style: PROMISE, operations: { 'write-block': writeBlockPromise } },
  { name: 'fs.createWriteStream', style: CALLBACK, operations: { 'write-block': writeBlockStream } },
  { name: 'fs.copyFileSync', style: SYNC, operations: { copy: copySync } },
  { name: 'fs.promises.copyFile', style: PROMISE, operations: { copy: copyPromise } },
  { name: 'stream.promises.pipeline', style: PROMISE, operations: { copy: copyPipeline(knowsFlush) } },
  { name: 'fs.readFileSync+JSON.parse', style: SYNC, operations: { 'config-load': readFileSyncParse } },
  { name: 'fs.promises.readFile+JSON.parse', style: PROMISE, operations: { 'config-load': readFilePromiseParse } },
  { name: 'fs.statSync', style: SYNC, operations: { reload: statSyncReload } },
  { name: 'fs.readFileSync+compare', style: SYNC, operations: { reload: readFileSyncCompare } },
  { name: 'null', style: SYNC, operations: Object.fromEntries(OPERATIONS.map((operation) => [operation, null])) },
];

export function findMethod(name) {
  return methods.find((method) => method.name === name);
}
