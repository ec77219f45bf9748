'use strict';
// Index of a postcard collection: one record per card file, by decade.
const fs = require('fs');
const path = require('path');

function readCard(file) {
  const fd = fs.openSync(file, 'r');
  const buf = Buffer.alloc(128);
  let n;
  try {
    n = fs.readSync(fd, buf, 0, buf.length, 0);
  } finally {
    fs.closeSync(fd);
  }
  const text = buf.toString('latin1', 0, n);
  if (!text.startsWith('PC01')) {
    return null;
  }
  const m = /view of (\w+ \d+), sent (\d{4})/.exec(text.slice(8));
  return m && { number: Number(text.slice(4, 8)), view: m[1], year: Number(m[2]) };
}

const dir = 'cards';
const decades = new Map();
let broken = 0;
for (const name of fs.readdirSync(dir).sort()) {
  if (!name.endsWith('.card')) continue;
  const card = readCard(path.join(dir, name));
  if (!card) {
    broken++;
    continue;
  }
  const decade = Math.floor(card.year / 10) * 10;
  if (!decades.has(decade)) decades.set(decade, []);
  decades.get(decade).push(card);
}

for (const decade of [...decades.keys()].sort()) {
  const cards = decades.get(decade).sort((a, b) => a.number - b.number);
  console.log(`${decade}s: ${cards.length} cards, first ${cards[0].number}, ${cards[0].view}`);
}
console.log(`broken: ${broken}`);
