// The table of methods: the one list that `describe` prints and `run` looks in.
// How each method works stands in the file of its operation.

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
  {
    name: 'fs.openSync',
    does: 'fs.openSync, fs.closeSync',
    style: SYNC,
    operations: { 'open-close': openSyncClose, 'open-missing': openSyncMissing },
  },
  {
    name: 'fs.open',
    does: 'fs.open, fs.close, with callbacks',
    style: CALLBACK,
    operations: { 'open-close': openCallbackClose, 'open-missing': openCallbackMissing },
  },
  {
    name: 'fs.promises.open',
    does: 'await fs.promises.open, await FileHandle.close',
    style: PROMISE,
    operations: { 'open-close': openPromiseClose, 'open-missing': openPromiseMissing },
  },
  {
    name: 'fs.openSync+r+',
    does: "fs.openSync with 'r+', fs.closeSync",
    style: SYNC,
    operations: { 'open-write-close': openSyncUpdate },
  },
  {
    name: 'fs.openSync+w',
    does: "fs.openSync with 'w', which truncates the file and creates a missing one, fs.closeSync; create: between them fs.writeSync, fs.fsyncSync where asked",
    style: SYNC,
    operations: { 'open-write-close': openSyncWrite, create: createOpenSync },
  },
  {
    name: 'fs.promises.open+r+',
    does: "await fs.promises.open with 'r+', await FileHandle.close",
    style: PROMISE,
    operations: { 'open-write-close': openPromiseUpdate },
  },
  {
    name: 'fs.openSync+readSync',
    does: 'fs.openSync, fs.readSync (for a whole file until it returns 0), fs.closeSync',
    style: SYNC,
    operations: { 'open-read-close': openSyncReadSync, 'read-whole': openSyncReadSyncWhole },
  },
  {
    name: 'fs.promises.open+read',
    does: 'await fs.promises.open, await FileHandle.read, await FileHandle.close',
    style: PROMISE,
    operations: { 'open-read-close': openPromiseRead },
  },
  {
    name: 'fs.createReadStream',
    does: 'for await over fs.createReadStream; for one block with highWaterMark and end set to it',
    style: PROMISE,
    operations: { 'open-read-close': streamFirstChunk, 'read-whole': streamWhole },
  },
  {
    name: 'fs.readFileSync',
    does: 'fs.readFileSync',
    style: SYNC,
    operations: { 'read-whole': readFileSyncWhole },
  },
  {
    name: 'fs.readFileSync+latin1',
    does: "fs.readFileSync with 'latin1', a string",
    style: SYNC,
    operations: { 'read-whole': readFileSyncLatin1 },
  },
  {
    name: 'fs.readFile',
    does: 'fs.readFile, with a callback',
    style: CALLBACK,
    operations: { 'read-whole': readFileCallback },
  },
  {
    name: 'fs.promises.readFile',
    does: 'await fs.promises.readFile',
    style: PROMISE,
    operations: { 'read-whole': readFilePromiseWhole },
  },
  {
    name: 'fs.readSync',
    does: 'fs.readSync with a position',
    style: SYNC,
    operations: { 'read-block': blockSync },
  },
  {
    name: 'fs.promises.FileHandle.read',
    does: 'await FileHandle.read with a position',
    style: PROMISE,
    operations: { 'read-block': blockPromise },
  },
  {
    name: 'fs.read',
    does: 'fs.read with a position and a callback',
    style: CALLBACK,
    operations: { 'read-block': blockCallback },
  },
  {
    name: 'readline+createReadStream',
    does: 'for await over readline.createInterface on fs.createReadStream; UTF-8 decoded, counted as ASCII; a lone \\r ends a line too',
    style: PROMISE,
    operations: { lines: readlineStream },
  },
  {
    name: 'FileHandle.readLines',
    does: 'await fs.promises.open, for await over FileHandle.readLines; UTF-8 decoded, counted as ASCII; a lone \\r ends a line too',
    style: PROMISE,
    operations: { lines: handleReadLines },
    unavailable: readLinesUnavailable,
  },
  {
    name: 'fs.readFileSync+split',
    does: "fs.readFileSync with 'utf8', String.split, counted as ASCII",
    style: SYNC,
    operations: { lines: readFileSyncSplit },
  },
  {
    name: 'fs.readFileSync+indexOf',
    does: 'fs.readFileSync, Buffer.indexOf; on several threads fs.statSync, then in each (worker_threads) fs.openSync, readSync of its part, closeSync',
    style: SYNC,
    operations: { search: readFileSyncIndexOf },
    shared: { search: readSyncIndexOfShared, wayOfReading: 'sync' },
  },
  {
    name: 'createReadStream+indexOf',
    does: 'for await over fs.createReadStream, Buffer.indexOf in each chunk and each seam; on several threads fs.statSync, then a stream of its part in each (worker_threads)',
    style: PROMISE,
    operations: { search: streamIndexOf },
    shared: { search: streamIndexOfShared, wayOfReading: 'stream' },
  },
  {
    name: 'fs.readFileSync+crypto.md5',
    does: "fs.readFileSync, crypto.createHash('md5')",
    style: SYNC,
    operations: { hash: readFileSyncMd5 },
    unavailable: md5Unavailable,
  },
  {
    name: 'createReadStream+crypto.md5',
    does: "for await over fs.createReadStream, Hash.update of each chunk of crypto.createHash('md5')",
    style: PROMISE,
    operations: { hash: streamMd5 },
    unavailable: md5Unavailable,
  },
  {
    name: 'fs.writeFileSync',
    does: 'fs.writeFileSync, with flush where a sync is asked',
    style: SYNC,
    operations: { create: createWriteFileSync(knowsFlush) },
  },
  {
    name: 'fs.promises.open+w',
    does: "await fs.promises.open with 'w', await FileHandle.write, FileHandle.sync where asked, await FileHandle.close",
    style: PROMISE,
    operations: { create: createOpenPromise },
  },
  {
    name: 'fs.writeSync',
    does: 'fs.writeSync with a position',
    style: SYNC,
    operations: { 'write-block': writeBlockSync },
  },
  {
    name: 'fs.promises.FileHandle.write',
    does: 'await FileHandle.write with a position',
    style: PROMISE,
    operations: { 'write-block': writeBlockPromise },
  },
  {
    name: 'fs.createWriteStream',
    does: 'WriteStream.write, in order only, each after the callback of the one before; a stream of its own for each round through the file',
    style: CALLBACK,
    operations: { 'write-block': writeBlockStream },
  },
  {
    name: 'fs.copyFileSync',
    does: 'fs.copyFileSync',
    style: SYNC,
    operations: { copy: copySync },
  },
  {
    name: 'fs.promises.copyFile',
    does: 'await fs.promises.copyFile',
    style: PROMISE,
    operations: { copy: copyPromise },
  },
  {
    name: 'stream.promises.pipeline',
    does: 'await stream.promises.pipeline from fs.createReadStream to fs.createWriteStream, with flush where a sync is asked',
    style: PROMISE,
    operations: { copy: copyPipeline(knowsFlush) },
  },
  {
    name: 'fs.readFileSync+JSON.parse',
    does: "JSON.parse of fs.readFileSync with 'utf8'",
    style: SYNC,
    operations: { 'config-load': readFileSyncParse },
  },
  {
    name: 'fs.promises.readFile+JSON.parse',
    does: "JSON.parse of await fs.promises.readFile with 'utf8'",
    style: PROMISE,
    operations: { 'config-load': readFilePromiseParse },
  },
  {
    name: 'fs.statSync',
    does: 'fs.statSync: modification time, size and inode compared, the file read again where they differ',
    style: SYNC,
    operations: { reload: statSyncReload },
  },
  {
    name: 'fs.readFileSync+compare',
    does: 'fs.readFileSync, Buffer.equals with what is held',
    style: SYNC,
    operations: { reload: readFileSyncCompare },
  },
  {
    name: 'null',
    does: 'everything but the I/O; for lines, search, hash and config-load the loop alone, with answers computed beforehand',
    style: SYNC,
    operations: Object.fromEntries(OPERATIONS.map((operation) => [operation, null])),
  },
];

export function findMethod(name) {
  return methods.find((method) => method.name === name);
}
