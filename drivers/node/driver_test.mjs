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

test('a mode truncates as its name says, and no other does', () => {
  for (const { name } of methodsOf('open-write-close')) {
    const path = makeFile('content');
    run('open-write-close', name, path, ['batch 2']);
    assert.equal(statSync(path).size, name.endsWith('+w') ? 0 : 7, name);
  }
});

test('a broken configuration is an error, not a crash', () => {
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
