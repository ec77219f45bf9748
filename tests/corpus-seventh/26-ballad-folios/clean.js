'use strict';
const fs = require('fs');
const path = require('path');

// Lays the ordered folios out in the shop under their running number.

function layOut(from, to) {
  fs.copyFileSync(from, to);
}

function orders(name) {
  return fs
    .readFileSync(name, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

let shelf = 0;
const labels = [];
for (const folio of orders('order.txt')) {
  shelf += 1;
  const target = path.join('shop', `${String(shelf).padStart(3, '0')}-${folio}.txt`);
  try {
    layOut(path.join('folios', `${folio}.txt`), target);
    labels.push(path.basename(target));
  } catch (err) {
    if (err.code !== 'ENOENT') throw err;
    labels.push(`${folio} is sold out`);
  }
}

fs.writeFileSync('shop/labels.txt', labels.join('\n') + '\n');
console.log(`${labels.length} folios laid out, last ${labels.at(-1)}`);
