'use strict';
// Makes the code slips of the lockers in a swimming hall. Only the cashier's account may read them.
const fs = require('fs');
const path = require('path');
const crypto = require('crypto');

function codeFor(locker, member) {
  const h = crypto.createHash('sha256').update(`${locker}/${member}/summer`).digest();
  return String(h.readUInt32BE(0) % 10000).padStart(4, '0');
}

function writeSecret(file, text) {
  const fd = fs.openSync(file, 'wx', 0o600);
  try {
    fs.writeSync(fd, text);
    fs.fchmodSync(fd, 0o600);
  } finally {
    fs.closeSync(fd);
  }
}

const dir = 'lockers';
const seen = new Map();
let slips = 0;
for (const line of fs.readFileSync('lockers.txt', 'utf8').split('\n')) {
  if (!line) continue;
  const [locker, member] = line.split(' ');
  const code = codeFor(locker, member);
  writeSecret(path.join(dir, `${locker}.slip`), `${locker} of ${member}: code ${code}\n`);
  seen.set(code, (seen.get(code) || 0) + 1);
  slips++;
}

const modes = new Set(fs.readdirSync(dir).map((n) => (fs.statSync(path.join(dir, n)).mode & 0o777).toString(8)));
const twice = [...seen.values()].filter((n) => n > 1).length;
console.log(`slips: ${slips}, codes used twice: ${twice}`);
console.log(`modes: ${[...modes].join(' ')}`);
console.log(fs.readFileSync(path.join(dir, 'locker1.slip'), 'utf8').trim());
