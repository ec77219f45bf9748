'use strict';
const fs = require('fs');
const path = require('path');

const BOX = 'requests';
const OWN = 'claimed';

function waiting(names) {
  return names.filter(n => fs.existsSync(path.join(BOX, n + '.req')));
}

function claim(name) {
  const own = path.join(OWN, name + '.req');
  try {
    fs.renameSync(path.join(BOX, name + '.req'), own);
  } catch (e) {
    if (e.code === 'ENOENT') return null;
    throw e;
  }
  return own;
}

function take(own) {
  const fd = fs.openSync(own, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  try {
    const st = fs.fstatSync(fd);
    if (!st.isFile() || st.nlink !== 1 || st.size > 200) return null;
    return fs.readFileSync(fd, 'utf8');
  } finally {
    fs.closeSync(fd);
  }
}

fs.mkdirSync(OWN, { mode: 0o700, recursive: true });
const guests = fs.readFileSync('guests.txt', 'utf8').trim().split('\n');
const dances = new Map();
let refused = 0;
let asked = 0;
for (const guest of waiting(guests)) {
  const own = claim(guest);
  if (!own) continue;
  asked++;
  const text = take(own);
  const m = text && /^dance: (\w+)$/m.exec(text);
  if (!m) {
    refused++;
    continue;
  }
  dances.set(m[1], (dances.get(m[1]) || 0) + 1);
}
const order = [...dances].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
fs.writeFileSync('programme.txt', order.map(([d, n]) => `${d} (${n})\n`).join(''));
console.log(`${guests.length} guests, ${asked} asked, ${refused} refused`);
console.log(`first dance: ${order[0][0]}`);
