// The operations that write, and those on missing files and on configurations:
// what they answer, and what then stands in the directory. Run with `node --test`.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { converse, figures, folder, hexadecimal, makeFile, methodsOf, start } from './conversation_test.mjs';
import { newPool, pattern } from './contents.mjs';
import { crc32 } from './crc32.mjs';
import { fillOffsets } from './offsets.mjs';

const POOL_BYTES = 2 ** 20;

function makeDirectory() {
  return mkdtempSync(join(folder, 'directory '));
}

/** The words of `--key value` pairs. */
function options(pairs) {
  return Object.entries(pairs).flatMap(([key, value]) => [`--${key}`, String(value)]);
}

/** The answers, or null where the driver says that it cannot. */
function tryConverse(operation, method, paths, lines, pairs) {
  const words = ['run', '--operation', operation, '--method', method, ...paths.flatMap((path) => ['--path', path])];
  const { status, stdout } = start([...words, ...options(pairs)]);
  if (status === 77) {
    assert.equal(stdout.toString(), '');
    return null;
  }
  return converse(operation, [method, method], paths, lines, options(pairs));
}

function checkDone(answer, ops, bytes, digest, what) {
  const found = figures(answer);
  assert.deepEqual([found.ops, found.bytes, found.digest].map(Number), [ops, bytes, digest], what);
}

function checkVerified(answer, data, what) {
  assert.equal(answer, `verified bytes=${data.length} crc32=${hexadecimal(crc32(data))}`, what);
}

/** The content of each file in the numbered directories of one run. */
function contents(directory) {
  return readdirSync(directory)
    .sort()
    .map((name) => {
      const files = readdirSync(join(directory, name)).sort();
      return Object.fromEntries(files.map((file) => [file, readFileSync(join(directory, name, file))]));
    });
}

function sumOfPages(data) {
  let sum = 0;
  for (let i = 0; i < data.length; i += 4096) {
    sum += data[i];
  }
  return sum;
}

test('created files hold what was asked, whenever they are closed', () => {
  for (const { name } of methodsOf('create')) {
    let performed = 0;
    for (const [existing, write, close, sync] of [
      ['fresh', 0, 'each', 'none'], ['fresh', 5000, 'each', 'fsync'], ['data', 100, 'each', 'none'], ['empty', 0, 'all', 'none'],
      ['data', 20_000, 'all', 'fsync'], ['fresh', 33, 'none', 'none'], ['empty', 0, 'none', 'fsync'],
    ]) {
      const directory = makeDirectory();
      const what = `${name} ${existing} ${write} ${close} ${sync}`;
      const lines = ['batch 3 preroll=2', 'blocks 1:1:0 0:0:0', 'verify', 'release', 'batch 1'];
      const answers = tryConverse('create', name, [], lines, { directory, existing, write, close, sync });
      if (answers === null) {
        continue;
      }
      performed++;
      for (const [i, ops] of [[0, 3], [1, 1], [2, 0], [6, 1]]) {
        checkDone(answers[i], ops, ops * write, 0, what);
      }
      checkVerified(answers[4], pattern(write), what);
      const counts = name === 'null' ? [] : [2, 3, 1, 0, 1, 1];
      const wanted = counts.map((count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, pattern(write)])));
      assert.deepEqual(contents(directory), wanted, what);
    }
    assert.ok(performed >= 3, name);
  }
});

test('own times of files that are closed together are sums over the phases', () => {
  for (const name of ['fs.openSync+w', 'fs.promises.open+w', 'null']) {
    const latencies = join(folder, `latencies of ${name}`);
    const pairs = { directory: makeDirectory(), write: 10, close: 'all', latencies };
    const answers = converse('create', name, [], ['batch 5', 'batch 2'], options(pairs));
    const times = readFileSync(latencies);
    assert.equal(times.length, 7 * 8);
    let sum = 0n;
    for (let i = 0; i < 5; i++) {
      sum += times.readBigUInt64LE(8 * i);
    }
    assert.ok(sum > 0n && sum <= BigInt(figures(answers[0]).ns), name);
  }
});

test('more open files than there are descriptors are refused', () => {
  const directory = makeDirectory();
  const words = ['run', '--operation', 'create', '--method', 'fs.openSync+w', '--directory', directory, '--close', 'all'];
  const { status, stdout, stderr } = start(words, ['batch 2000000000']);
  assert.equal(status, 77);
  assert.equal(stdout.toString(), 'ready\n');
  assert.match(stderr.toString(), /open at once/);
  assert.deepEqual(readdirSync(directory), []);
});

test('a failure while files are made is an error line, and the driver goes on', () => {
  const directory = makeDirectory();
  mkdirSync(join(directory, '0'));
  for (const [operation, name] of [['create', 'fs.openSync+w'], ['write-block', 'fs.createWriteStream']]) {
    const pairs = { directory, size: 8192, block: 4096, access: 'sequential' };
    const [first] = converse(operation, name, [], ['batch 1', 'quit'], options(pairs));
    assert.equal(first, `error op=mkdir errno=EEXIST path=${directory}/0`);
  }
});

test('blocks land where they belong', () => {
  for (const { name } of methodsOf('write-block')) {
    for (const [block, size, access, alignment, existing, content, sync] of [
      [4096, 40_960, 'random', 'aligned', 'fresh', 'random', 'none'], [1000, 5500, 'sequential', 'aligned', 'fresh', 'pattern', 'fsync'],
      [1000, 5500, 'random', 'unaligned', 'data', 'random', 'fsync'], [700_000, 2_100_000, 'sequential', 'unaligned', 'empty', 'random', 'none'],
      [4096, 16_384, 'sequential', 'aligned', 'data', 'random', 'none'], [16, 33, 'sequential', 'unaligned', 'fresh', 'random', 'none'],
    ]) {
      const directory = makeDirectory();
      const what = `${name} ${block} ${access} ${alignment} ${existing}`;
      const seed = 2n ** 64n - 3n;
      const pairs = { directory, size, block, access, alignment, existing, content, sync, seed };
      const lines = ['batch 3 preroll=2', 'batch 4', 'verify', 'release', 'blocks 1:2:0'];
      const answers = tryConverse('write-block', name, [], lines, pairs);
      if (answers === null) {
        assert.equal(`${name} ${access}`, 'fs.createWriteStream random');
        continue;
      }
      const pool = newPool({ content, seed });
      const places = Math.floor(POOL_BYTES / block);
      const piece = (k) => pool.subarray((k % places) * block, (k % places) * block + block);
      for (const [i, numbers] of [[0, [2, 3, 4]], [1, [5, 6, 7, 8]], [4, [0, 1]]]) {
        const digest = numbers.reduce((sum, k) => sum + sumOfPages(piece(k)), 0);
        checkDone(answers[i], numbers.length, numbers.length * block, digest, what);
      }
      checkVerified(answers[2], piece(0), what);
      const data = existing === 'data';
      const image = data ? pattern(size) : Buffer.alloc(size);
      const offsets = new Float64Array(9);
      fillOffsets(offsets, 0, { block, size, seed, sequential: access === 'sequential', unaligned: alignment === 'unaligned' });
      let end = data ? size : 0;
      for (const k of data ? [0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 1] : [0, 1]) {
        piece(k).copy(image, offsets[k]);
        end = Math.max(end, offsets[k] + block);
      }
      const last = { f: image.subarray(0, end) };
      // Only the file of the last batch is still there.
      const wanted = data ? [last] : [{}, {}, {}, {}, last];
      assert.deepEqual(contents(directory), name === 'null' ? [] : wanted, what);
    }
  }
});

test('copies hold what their sources do', () => {
  for (const { name } of methodsOf('copy')) {
    for (const [size, sync] of [[0, 'none'], [1, 'none'], [200_001, 'none'], [70_000, 'fsync']]) {
      const directory = makeDirectory();
      const sources = [Buffer.alloc(size, 'one'), Buffer.alloc(size, 'two')];
      const lines = ['batch 3 preroll=2', 'verify method=1', 'batch 2 method=1', 'batch 2'];
      const answers = tryConverse('copy', name, sources.map(makeFile), lines, { directory, size, sync });
      if (answers === null) {
        assert.equal(sync, 'fsync', name);
        continue;
      }
      for (const [i, ops] of [[0, 3], [2, 2], [3, 2]]) {
        checkDone(answers[i], ops, ops * size, 0, name);
      }
      checkVerified(answers[1], sources[0], name);
      const wanted = [{}, {}, {}, {}, { c0: sources[1], c1: sources[0] }];
      assert.deepEqual(contents(directory), name === 'null' ? [] : wanted, name);
    }
    const missing = join(folder, 'none');
    const answers = converse('copy', name, [missing], ['batch 1', 'verify'], options({ directory: makeDirectory(), size: 1 }));
    assert.match(answers[0], new RegExp(`^error op=(open|copyfile) errno=ENOENT path=${missing}$`));
    assert.equal(answers[1], answers[0]);
  }
});

test('that a file is missing is the right answer, that it is there the error', () => {
  const missing = join(folder, 'none');
  const there = makeFile('x');
  for (const { name } of methodsOf('open-missing')) {
    const answers = converse('open-missing', name, [missing, there], ['batch 1', 'batch 1', 'batch 1', 'verify']);
    checkDone(answers[0], 1, 0, 0, name);
    if (name !== 'null') {
      assert.equal(answers[1], `error op=open errno=EEXIST path=${there}`);
    }
    checkDone(answers[2], 1, 0, 0, name);
    checkVerified(answers[3], Buffer.alloc(0), name);
  }
});

test('configurations are parsed, all in one operation', () => {
  const values = (port) => ({ name: 'a', port, ratio: 0.25, enabled: true, tags: ['a', 'b', 'c'], limits: { open: 10, read: 7 }, padding: 'x' });
  const texts = [8080, 8081].map((port) => JSON.stringify(values(port)));
  const paths = texts.map(makeFile);
  const size = texts[0].length;
  for (const { name } of methodsOf('config-load')) {
    const answers = converse('config-load', name, paths, ['batch 3 preroll=1', 'verify'], options({ size }));
    checkDone(answers[0], 3, 6 * size, 3 * 16_195, name);
    assert.equal(answers[1], `verified bytes=${2 * size} crc32=${hexadecimal(crc32('16195'))}`);
    if (name !== 'null') {
      const broken = makeFile('{');
      const [answer] = converse('config-load', name, [broken], ['batch 1'], options({ size: 1 }));
      assert.equal(answer, `error op=parse errno=EINVAL path=${broken}`);
    }
  }
  for (const text of ['port: 8080\nlimits:\n  open: 10\n  read: 7\n', 'port = 8080\n[limits]\nopen = 10\nread = 7\n']) {
    const pairs = options({ size: text.length, format: text.includes('=') ? 'toml' : 'yaml' });
    const [answer] = converse('config-load', 'null', [makeFile(text)], ['batch 1'], pairs);
    checkDone(answer, 1, text.length, 8097, text);
  }
});

test('data held is current', () => {
  const data = [Buffer.alloc(70_001, 'one'), Buffer.alloc(70_001, 'two')];
  for (const { name } of methodsOf('reload')) {
    const answers = converse('reload', name, data.map(makeFile), ['batch 3 preroll=1', 'verify', 'release', 'batch 1'], ['--size', '70001']);
    const [first, second] = data.map(sumOfPages);
    checkDone(answers[0], 3, 3 * 70_001, first + 2 * second, name);
    checkVerified(answers[1], data[0], name);
    checkDone(answers[3], 1, 70_001, first, name);
  }
});

test('what cannot be done ends it with exit code 77, what makes no sense with 2', () => {
  const directory = makeDirectory();
  const path = makeFile('x'.repeat(8192));
  for (const [operation, method, pairs, wanted, reason] of [
    ['create', 'null', { directory, sync: 'syncfs' }, 77, 'no syncfs'],
    ['create', 'fs.writeFileSync', { directory, close: 'all' }, 77, 'closes the file by itself'],
    ['copy', 'fs.copyFileSync', { directory, size: 1, sync: 'fsync' }, 77, 'no way to sync'],
    ['write-block', 'fs.createWriteStream', { directory, size: 8192, block: 4096 }, 77, 'in order only'],
    ['hash', 'null', { algorithm: 'xxh64' }, 77, 'no XXH64'],
    ['read-block', 'fs.readSync', { size: 8192, block: 4096, threads: 2 }, 77, 'one thread'],
    ['read-whole', 'fs.readFileSync', { size: 8192, 'queue-depth': 2 }, 77, 'after the other'],
    ['config-load', 'fs.readFileSync+JSON.parse', { size: 1, format: 'yaml' }, 77, 'no parser of yaml'],
    ['create', 'null', {}, 2, 'needs --directory'],
    ['create', 'null', { directory: path }, 2, 'is no directory'],
    ['create', 'null', { directory, existing: 'old' }, 2, 'none of fresh, empty, data'],
    ['write-block', 'null', { directory, size: 2 ** 22, block: 2 ** 20 + 1 }, 2, 'at most 1048576'],
    ['write-block', 'null', { directory, size: 100 }, 2, 'no such block'],
    ['copy', 'null', { directory }, 2, 'needs --size'],
    ['config-load', 'null', { size: 1, format: 'ini' }, 2, 'none of json, yaml, toml'],
  ]) {
    const { status, stdout, stderr } = start(['run', '--operation', operation, '--method', method, '--path', path, ...options(pairs)]);
    assert.equal(status, wanted, reason);
    assert.equal(stdout.toString(), '');
    assert.ok(stderr.toString().includes(reason), stderr.toString());
  }
});
