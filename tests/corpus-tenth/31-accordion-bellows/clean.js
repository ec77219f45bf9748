// Inventory of an accordion maker's sample box: only reed files are of interest,
// the box holds notes about wax and bellows too.
'use strict';
const fs = require('fs');
const path = require('path');

function readReed(file) {
  const fd = fs.openSync(file, 'r');
  try {
    const head = Buffer.alloc(8);
    const n = fs.readSync(fd, head, 0, 8, null);
    if (n < 8 || head.toString('latin1', 0, 4) !== 'REED') {
      return null;
    }
    const number = Number(head.toString('latin1', 4, 8));
    const body = Buffer.alloc(256);
    const len = fs.readSync(fd, body, 0, body.length, null);
    const reed = { number, material: '', pitch: 0 };
    for (const line of body.toString('latin1', 0, len).split('\n')) {
      const [key, value] = line.split(' ');
      if (key === 'pitch') reed.pitch = Number(value);
      else if (value === 'tongue') reed.material = key;
    }
    return reed;
  } finally {
    fs.closeSync(fd);
  }
}

const reeds = [];
let others = 0;
for (const name of fs.readdirSync('reeds').sort()) {
  const reed = readReed(path.join('reeds', name));
  if (reed === null) others++;
  else reeds.push(reed);
}

reeds.sort((a, b) => a.pitch - b.pitch);
fs.writeFileSync('pitches.txt', reeds.map((r) => `${r.pitch} Hz reed ${r.number} ${r.material}\n`).join(''));
console.log(`${reeds.length} reeds, ${others} other notes`);
console.log(`lowest ${reeds[0].pitch} Hz, highest ${reeds[reeds.length - 1].pitch} Hz`);
