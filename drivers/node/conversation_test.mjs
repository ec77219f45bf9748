// How tests talk to the driver as a program. There are no tests here.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { methods } from './methods.mjs';

const PROGRAM = fileURLToPath(new URL('./main.mjs', import.meta.url));
export const folder = mkdtempSync(join(tmpdir(), 'fathom-node-'));
after(() => rmSync(folder, { recursive: true }));

let files = 0;
export function makeFile(content) {
  const path = join(folder, `file ${files++}`);
  writeFileSync(path, content);
  return path;
}

export function start(words, lines = []) {
  return spawnSync(process.execPath, [PROGRAM, ...words], { input: lines.map((line) => `${line}\n`).join('') });
}

/** The answers to lines, after `ready`. */
export function converse(operation, method, paths, lines, more = []) {
  const names = [method].flat().flatMap((name) => ['--method', name]);
  const words = ['run', '--operation', operation, ...names, ...paths.flatMap((path) => ['--path', path]), ...more];
  const { status, stdout, stderr } = start(words, lines);
  assert.equal(stderr.toString(), '');
  assert.equal(status, 0);
  const [ready, ...answers] = stdout.toString().trimEnd().split('\n');
  assert.equal(ready, 'ready');
  return answers;
}

export function figures(answer) {
  assert.match(answer, /^(done|verified) /);
  return Object.fromEntries(answer.split(' ').slice(1).map((word) => word.split('=')));
}

export function methodsOf(operation) {
  return methods.filter((method) => operation in method.operations && method.unavailable === undefined);
}

export function hexadecimal(sum) {
  return sum.toString(16).padStart(8, '0');
}
