'use strict';
// Puts aside the proofs of the lithographs, sorted into plates and titles.
const fs = require('fs');
const path = require('path');

const SOURCE = 'stones';

function readRules(file) {
  const rules = new Map();
  for (const line of fs.readFileSync(file, 'utf8').trim().split('\n')) {
    const [kind, target] = line.split(' ');
    rules.set(kind, target);
  }
  return rules;
}

function targetOf(name, rules) {
  const kind = name.split('-')[0];
  return rules.get(kind);
}

function putAside(from, to) {
  fs.copyFileSync(from, to);
}

const rules = readRules('wanted.txt');
for (const target of rules.values()) fs.mkdirSync(target, { recursive: true });

const counts = new Map();
const list = [];
for (const name of fs.readdirSync(SOURCE).sort()) {
  const target = targetOf(name, rules);
  if (target === undefined) continue;
  const to = path.join(target, name);
  putAside(path.join(SOURCE, name), to);
  counts.set(target, (counts.get(target) || 0) + 1);
  list.push(to);
}
fs.writeFileSync('proofs/list.txt', list.join('\n') + '\n');
for (const [target, count] of counts) console.log(`${target}: ${count} proofs`);
console.log(`${list.length} in all`);
