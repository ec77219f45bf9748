// The driver as a program: what `fathom driver check` leaves out. Run with `node --test`.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { converse, figures, folder, hexadecimal, makeFile, methodsOf, start } from './conversation_test.mjs';
import { crc32, crc32ByTable } from './crc32.mjs';
import { methods } from './methods.mjs';
import { splitmix64 } from './offsets.mjs';

function linesOf(text) {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function occurrences(text, word) {
  let count = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    count++;
  }
  return count;
}

test('a generator and checksums have their published values', () => {
  assert.equal(splitmix64(0n), 0xe220a8397b1dcdafn);
  assert.equal(crc32('123456789'), 0xcbf43926);
  assert.equal(crc32ByTable('56789', crc32ByTable(Buffer.from('1234'))), 0xcbf43926);
});

test('lines come whole, in order and once', () => {
  const texts = [`a\nb\n\n${'l'.repeat(300_000)}\nend`, 'x', '\n', '\n\na\n', 'a\nb', '', `${'l'.repeat(70_000)}\n\n`];
  const paths = texts.map(makeFile);
  for (const { name } of methodsOf('lines')) {
    const answers = converse('lines', name, paths, [...texts.map(() => 'batch 1'), 'verify']).map(figures);
    for (const [i, text] of texts.entries()) {
      const lines = linesOf(text);
      const bytes = lines.reduce((sum, line) => sum + line.length, 0);
      const digest = lines.reduce((sum, line) => sum + (line === '' ? 0 : line.charCodeAt(0)), 0);
      const found = [answers[i].lines, answers[i].bytes, answers[i].digest].map(Number);
      assert.deepEqual(found, [lines.length, bytes, digest], `${name}, text ${i}`);
    }
    assert.deepEqual({ ...answers.at(-1) }, { bytes: '300005', crc32: hexadecimal(crc32(`${texts[0]}\n`)) });
  }
});

test('matches are counted once wherever they lie, on any number of threads', () => {
  const chunk = 65536;
  const texts = {
    ERROR: [
      'ERROR.'.repeat(40_000), '', 'ERRO', 'ERROR', 'ERRORERROR', '.ERRORERR',
      `${'.'.repeat(chunk - 2)}ERROR${'.'.repeat(chunk - 8)}ERRORERR`,
      `${'.'.repeat(29_998)}ERROR${'.'.repeat(29_995)}ERROR`,
    ],
    aa: ['aaa', 'a'.repeat(2 * chunk + 1)],
    x: ['xx', 'x'.repeat(chunk + 1)],
    ['w'.repeat(70_000)]: ['w'.repeat(70_005)],
  };
  for (const [word, all] of Object.entries(texts)) {
    const paths = all.map(makeFile);
    for (const { name } of methodsOf('search')) {
      for (const threads of name === 'null' ? ['1'] : ['1', '2', '7']) {
        const more = ['--threads', threads, '--word', word];
        const answers = converse('search', name, paths, [...all.map(() => 'batch 1'), 'verify'], more).map(figures);
        for (const [i, text] of all.entries()) {
          const count = occurrences(text, word);
          const found = [answers[i].matches, answers[i].digest, answers[i].bytes].map(Number);
          assert.deepEqual(found, [count, count, text.length], `${name}, ${threads} threads, ${text.length} bytes`);
        }
        const sum = hexadecimal(crc32(String(occurrences(all[0], word))));
        assert.deepEqual({ ...answers.at(-1) }, { bytes: String(all[0].length), crc32: sum });
      }
    }
  }
});

test('a hash is the MD5, its digest summed modulo 2^64', () => {
  const contents = [Buffer.alloc(200_001, 7), '', 'abc'];
  const paths = contents.map(makeFile);
  const hashes = contents.map((content) => createHash('md5').update(content).digest());
  const three = hashes.reduce((sum, md5) => sum + md5.readBigUInt64BE(0), 0n);
  for (const { name } of methodsOf('hash')) {
    const lines = ['batch 1', 'batch 1', 'batch 1', 'batch 999', 'verify'];
    const answers = converse('hash', name, paths, lines).map(figures);
    for (const [i, md5] of hashes.entries()) {
      assert.equal(BigInt(answers[i].digest), md5.readBigUInt64BE(0), name);
    }
    assert.equal(BigInt(answers[3].digest), BigInt.asUintN(64, 333n * three));
    assert.equal(answers[3].bytes, String(333 * 200_004));
    assert.deepEqual({ ...answers[4] }, { bytes: '200001', crc32: hexadecimal(crc32(hashes[0])) });
  }
});

test('a mode truncates as its name says, and no other does', () => {
  for (const { name } of methodsOf('open-write-close')) {
    const path = makeFile('content');
    const [done] = converse('open-write-close', name, [path], ['batch 2']);
    assert.deepEqual([figures(done).bytes, figures(done).digest], ['0', '0']);
    assert.equal(statSync(path).size, name.endsWith('+w') ? 0 : 7, name);
    if (name !== 'null') {
      const missing = join(folder, 'to be written');
      const [answer] = converse('open-write-close', name, [missing], ['batch 1']);
      assert.equal(existsSync(missing), name.endsWith('+w'), name);
      assert.equal(answer.startsWith('error op=open errno=ENOENT path='), !name.endsWith('+w'), name);
      rmSync(missing, { force: true });
    }
  }
});

/** What other tests are about. */
const ELSEWHERE = ['open-write-close', 'open-missing', 'create', 'write-block', 'copy'];

test('a missing file is an error line, and the driver goes on', () => {
  const missing = join(folder, 'a name with spaces');
  for (const method of methods.filter(({ name, unavailable }) => name !== 'null' && unavailable === undefined)) {
    for (const operation of Object.keys(method.operations).filter((word) => !ELSEWHERE.includes(word))) {
      for (const threads of operation === 'search' ? ['1', '3'] : ['1']) {
        const more = ['--size', '8192', '--block', '4096', '--threads', threads];
        const lines = ['batch 2', 'blocks 0:1:0 0:1:0', 'verify', 'release'];
        const answers = converse(operation, method.name, [missing], lines, more);
        const call = threads === '1' ? 'open' : 'stat';
        const wanted = `error op=${call} errno=ENOENT path=${missing}`;
        assert.deepEqual(answers, [wanted, wanted, wanted, 'released'], `${operation} ${method.name}`);
      }
    }
  }
});

test('an error ends a schedule after the batches before it', () => {
  const paths = [makeFile('0123456789'), join(folder, 'none')];
  for (const name of ['fs.openSync', 'fs.open', 'fs.promises.open']) {
    const answers = converse('open-close', name, paths, ['blocks 0:1:0 0:1:0 0:1:0', 'batch 1']);
    assert.equal(answers.length, 3);
    assert.match(answers[0], /^done ops=1 /);
    assert.equal(answers[1], `error op=open errno=ENOENT path=${paths[1]}`);
    assert.match(answers[2], /^done ops=1 /);
  }
});

test('a short file and a directory are errors, not crashes', () => {
  const path = makeFile(Buffer.alloc(5000, 1));
  const more = ['--size', '20480', '--block', '4096', '--access', 'sequential'];
  for (const { name } of methodsOf('read-block').filter((method) => method.name !== 'null')) {
    const answers = converse('read-block', name, [path], ['batch 1', 'batch 4', 'verify'], more);
    assert.match(answers[0], /^done ops=1 /);
    assert.equal(answers[1], `error op=read errno=ENODATA path=${path}`, name);
    assert.match(answers[2], /^verified bytes=4096 /);
  }
  for (const { name } of methodsOf('read-whole').filter((method) => method.name !== 'null')) {
    const answers = converse('read-whole', name, [folder], ['batch 1']);
    assert.deepEqual(answers, [`error op=read errno=EISDIR path=${folder}`], name);
  }
});

test('nonsense is answered with the line', () => {
  const path = makeFile('0123456789');
  const nonsense = [
    '', 'batch', 'batch x', 'batch -1', 'batch +1', 'batch 1 method=1', 'batch 1 method=', 'batch 1 preroll=x',
    'batch 1 2', 'batch 1 speed=3', 'batch 99999999999999999999', 'batch 1e3', 'blocks', 'blocks 0:1', 'blocks 0:1:2:3',
    'blocks 0:1:0 1:1:0', 'blocks a:1:0', 'verify 0', 'verify method=1', 'verify method=0 method=0', 'release now',
    'quit now', 'Batch 1', 'constructor',
  ];
  const answers = converse('open-close', 'fs.openSync', [path], [...nonsense, 'batch 0', 'quit', 'batch 0']);
  assert.deepEqual(answers.slice(0, -1), nonsense.map((line) => `error op=protocol errno=EINVAL path=${line}`));
  assert.match(answers.at(-1), /^done ops=0 /);
});

test('methods are numbered and counted apart', () => {
  const paths = [makeFile('a'), makeFile('b')];
  const lines = ['batch 1', 'batch 1 method=2', 'blocks 1:1:0 0:1:0 1:1:0', 'batch 1 preroll=1 method=2'];
  const answers = converse('read-whole', ['fs.readFileSync', 'null', 'fs.readFile'], paths, lines);
  const digests = answers.filter((line) => line !== 'end').map((line) => Number(figures(line).digest) - 97);
  assert.deepEqual(digests, [0, 0, 0, 1, 1, 0]);
});

test('own times of each batch are appended and add up', () => {
  const path = makeFile(Buffer.alloc(8192));
  for (const name of ['fs.readSync', 'fs.read', 'fs.promises.FileHandle.read', 'null']) {
    const file = join(folder, `latencies of ${name}`);
    const more = ['--size', '8192', '--block', '4096', '--latencies', file];
    const answers = converse('read-block', name, [path], ['batch 5 preroll=2', 'batch 3', 'blocks 0:4:0'], more);
    const data = readFileSync(file);
    assert.equal(data.length, 8 * 8);
    for (const [answer, first, last] of [[answers[0], 0, 5], [answers[1], 5, 8]]) {
      let sum = 0n;
      for (let k = first; k < last; k++) {
        assert.notEqual(data.readBigUInt64LE(8 * k), 0n);
        sum += data.readBigUInt64LE(8 * k);
      }
      assert.ok(sum <= BigInt(figures(answer).ns), name);
    }
  }
});

test('collections inside the clock are told, with batch only', () => {
  const path = makeFile(Buffer.alloc(100_000));
  const answers = converse('read-whole', 'fs.readFileSync', [path], ['batch 3000', 'blocks 0:1:0']);
  const [batch, block] = answers.slice(0, 2).map(figures);
  assert.ok(Number(batch.gc_count) > 0);
  assert.ok(Number(batch.gc_ns) > 0 && Number(batch.gc_ns) < Number(batch.ns));
  assert.equal(block.gc_count, undefined);
});

test('wrong arguments end it with exit code 2', () => {
  const good = ['--operation', 'read-block', '--method', 'fs.readSync', '--path', '/', '--size', '8192', '--block', '4096'];
  for (const words of [
    [], ['what'], ['run'], ['run', ...good, '--block'], ['run', ...good, 'word'], ['run', ...good, '--operation', 'null'],
    ['run', ...good, '--method', 'fs.openSync'], ['run', ...good, '--size', '4095'], ['run', ...good, '--size', '-1'],
    ['run', ...good, '--access', 'both'], ['run', ...good, '--seed', String(2n ** 64n)], ['run', ...good, '--threads', '0'],
    ['run', ...good, '--word', ''], ['run', ...good, '--latencies', '/no/such/folder/file'],
    ['run', '--operation', 'open-close', '--method', 'fs.openSync'],
    ['run', '--operation', 'constructor', '--method', 'null'],
  ]) {
    const { status, stdout, stderr } = start(words);
    assert.equal(status, 2, words.join(' '));
    assert.equal(stdout.toString(), '');
    assert.match(stderr.toString(), /^error: /);
  }
});

test('the manifest lists what describe prints', () => {
  const manifest = readFileSync(new URL('./driver.toml', import.meta.url), 'utf8');
  const parts = manifest.split('[[methods]]\n').slice(1);
  const listed = parts.map((part) => {
    const [, name, operations, does] = /name = (.*)\noperations = (\[[^\]]*\])\ndoes = (.*)\n/.exec(part);
    return [JSON.parse(name), JSON.parse(operations.replace(/,\s*\]/, ']')), JSON.parse(does)];
  });
  const described = JSON.parse(start(['describe']).stdout).methods;
  assert.deepEqual(listed, described.map(({ name, operations, does }) => [name, operations, does]));
});
