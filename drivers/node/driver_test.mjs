// What `fathom driver check` cannot ask of every driver: this one's edges and refusals. Run with `node --test`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { crc32, crc32ByTable } from './crc32.mjs';
import { methods } from './methods.mjs';

const PROGRAM = fileURLToPath(new URL('./main.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fathom-node-'));
after(() => rmSync(folder, { recursive: true }));

let files = 0;
function makeFile(content) {
  const path = join(folder, `file ${files++}`);
  writeFileSync(path, content);
  return path;
}

function run(operation, method, path, lines, settings = {}) {
  const words = Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)]);
  const all = ['run', '--operation', operation, '--method', method, '--path', path, ...words];
  const input = lines.map((line) => `${line}\n`).join('');
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...all], { input, timeout: 60_000 });
  return { status, answers: stdout.toString().trimEnd().split('\n').slice(1), said: stderr.toString() };
}

function figures(answer, ...keys) {
  const all = Object.fromEntries(answer.split(' ').slice(1).map((word) => word.split('=')));
  return keys.map((key) => Number(all[key]));
}

function methodsOf(operation) {
  return methods.filter((method) => operation in method.operations && method.unavailable === undefined);
}

test('a checksum has its published value, also where Node.js has none', () => {
  assert.equal(crc32('123456789'), 0xcbf43926);
  assert.equal(crc32ByTable('56789', crc32ByTable(Buffer.from('1234'))), 0xcbf43926);
});

test('lines come whole, in order and once', () => {
  for (const text of [`a\nb\n\n${'l'.repeat(300_000)}\nend`, 'x', '\n', '\n\na\n', '', `${'l'.repeat(70_000)}\n\n`]) {
    const lines = text.split('\n').slice(0, text.endsWith('\n') || text === '' ? -1 : undefined);
    const bytes = lines.reduce((sum, line) => sum + line.length, 0);
    const digest = lines.reduce((sum, line) => sum + (line === '' ? 0 : line.charCodeAt(0)), 0);
    for (const { name } of methodsOf('lines')) {
      const [answer] = run('lines', name, makeFile(text), ['batch 1']).answers;
      assert.deepEqual(figures(answer, 'lines', 'bytes', 'digest'), [lines.length, bytes, digest], `${name} ${text.slice(0, 9)}`);
    }
  }
});

test('matches are counted once wherever they lie, on any number of threads', () => {
  const chunk = 65536;
  const texts = ['ERRO', 'ERRORERROR', '.ERRORERR', `${'.'.repeat(chunk - 2)}ERROR${'.'.repeat(chunk - 8)}ERRORERR`];
  for (const text of [...texts, `${'.'.repeat(29_998)}ERROR${'.'.repeat(29_995)}ERROR`]) {
    for (const { name } of methodsOf('search')) {
      for (const threads of name === 'null' ? [1] : [1, 7]) {
        const [answer] = run('search', name, makeFile(text), ['batch 1'], { threads }).answers;
        const found = figures(answer, 'matches', 'bytes');
        assert.deepEqual(found, [text.split('ERROR').length - 1, text.length], `${name}, ${threads} threads`);
      }
    }
  }
});

test('a mode truncates as its name says, and no other does', () => {
  for (const { name } of methodsOf('open-write-close')) {
    const path = makeFile('content');
    run('open-write-close', name, path, ['batch 2']);
    assert.equal(statSync(path).size, name.endsWith('+w') ? 0 : 7, name);
  }
});

test('a short file, a directory and a broken configuration are errors, not crashes', () => {
  const path = makeFile(Buffer.alloc(5000, 1));
  const settings = { size: 20_480, block: 4096, access: 'sequential' };
  for (const { name } of methodsOf('read-block').filter((method) => method.name !== 'null')) {
    const { answers } = run('read-block', name, path, ['batch 1', 'batch 4'], settings);
    assert.equal(answers[1], `error op=read errno=ENODATA path=${path}`, name);
  }
  for (const { name } of methodsOf('read-whole').filter((method) => method.name !== 'null')) {
    assert.deepEqual(run('read-whole', name, folder, ['batch 1']).answers, [`error op=read errno=EISDIR path=${folder}`], name);
  }
  const broken = makeFile('{');
  const { answers } = run('config-load', 'fs.readFileSync+JSON.parse', broken, ['batch 1'], { size: 1 });
  assert.deepEqual(answers, [`error op=parse errno=EINVAL path=${broken}`]);
});

test('collections inside the clock are told, with batch only', () => {
  const { answers } = run('read-whole', 'fs.readFileSync', makeFile(Buffer.alloc(100_000)), ['batch 3000', 'blocks 0:1:0']);
  const [count, ns, all] = figures(answers[0], 'gc_count', 'gc_ns', 'ns');
  assert.ok(count > 0 && ns > 0 && ns < all, answers[0]);
  assert.ok(!answers[1].includes('gc_count'));
});

test('own times of files that are closed together are sums over the phases', () => {
  for (const name of ['fs.openSync+w', 'fs.promises.open+w']) {
    const latencies = join(folder, `latencies of ${name}`);
    const directory = mkdtempSync(join(folder, 'directory '));
    const [answer] = run('create', name, folder, ['batch 5'], { directory, write: 10, close: 'all', latencies }).answers;
    const times = readFileSync(latencies);
    assert.equal(times.length, 5 * 8);
    const sum = [0, 1, 2, 3, 4].reduce((sum, i) => sum + Number(times.readBigUInt64LE(8 * i)), 0);
    assert.ok(sum > 0 && sum <= figures(answer, 'ns')[0], name);
  }
});

test('what cannot be done ends it with exit code 77', () => {
  const path = makeFile('x'.repeat(8192));
  for (const [operation, method, settings, reason] of [
    ['create', 'null', { sync: 'syncfs' }, 'no syncfs'],
    ['create', 'fs.openSync+w', { close: 'all' }, 'open at once'],
    ['create', 'fs.writeFileSync', { close: 'all' }, 'closes the file by itself'],
    ['copy', 'fs.copyFileSync', { size: 1, sync: 'fsync' }, 'no way to sync'],
    ['write-block', 'fs.createWriteStream', { size: 8192, block: 4096 }, 'in order only'],
    ['hash', 'null', { algorithm: 'xxh64' }, 'no XXH64'],
    ['read-block', 'fs.readSync', { size: 8192, block: 4096, threads: 2 }, 'one thread'],
    ['config-load', 'fs.readFileSync+JSON.parse', { size: 1, format: 'yaml' }, 'no parser of yaml'],
    ['open-read-close', 'fs.openSync+readSync', { buffer: 'stack' }, 'on the stack'],
  ]) {
    const directory = mkdtempSync(join(folder, 'directory '));
    const { status, said } = run(operation, method, path, ['batch 2000000000'], { directory, ...settings });
    assert.equal(status, 77, `${operation} ${method}: ${said}`);
    assert.ok(said.includes(reason), said);
  }
});
