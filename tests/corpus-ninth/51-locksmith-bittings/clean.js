'use strict';
const fs = require('fs');
const path = require('path');
const crypto = require('crypto');

function bitting(lock) {
  const digest = crypto.createHash('sha256').update(lock).digest();
  const cuts = [];
  for (let i = 0; i < 6; i++) {
    let depth = 1 + digest[i] % 8;
    if (i && Math.abs(depth - cuts[i - 1]) > 5) depth = cuts[i - 1];
    cuts.push(depth);
  }
  return cuts;
}

function keep(folder, lock, cuts) {
  const file = path.join(folder, `${lock}.cut`);
  const fd = fs.openSync(file, 'wx', 0o600);
  fs.writeSync(fd, `lock ${lock}\ncuts ${cuts.join('-')}\n`);
  fs.closeSync(fd);
}

function folderOf(customer, made) {
  const folder = path.join('vault', customer);
  if (!made.has(folder)) {
    fs.mkdirSync(folder, { mode: 0o700 });

    made.add(folder);
  }
  return folder;
}

const made = new Set();
const depths = new Array(9).fill(0);
let locks = 0;
fs.mkdirSync('vault', { mode: 0o700 });
for (const line of fs.readFileSync('locks.txt', 'utf8').trim().split('\n')) {
  const [customer, lock] = line.split(' ');
  const cuts = bitting(lock);
  for (const c of cuts) depths[c]++;
  keep(folderOf(customer, made), lock, cuts);
  locks++;
}
const total = depths.reduce((a, b) => a + b);
console.log(`${locks} locks of ${made.size} customers, ${total} cuts`);
console.log(`depths ${depths.slice(1).join(' ')}`);
