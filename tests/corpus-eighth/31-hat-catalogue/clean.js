// Reads the description of every hat in a milliner's catalogue and counts by felt.
const fs = require('fs');
const path = require('path');

function readHead(fd) {
  const head = Buffer.alloc(5);
  fs.readSync(fd, head, 0, 5, 0);
  return head.toString('latin1');
}

function describe(file) {
  const fd = fs.openSync(file, 'r');
  const head = readHead(fd);
  if (!head.startsWith('HAT1')) {
    fs.closeSync(fd);
    throw new Error(file + ' is no hat');
  }
  if (head[4] === 'x') {
    fs.closeSync(fd);
    return null;
  }
  const body = Buffer.alloc(200);
  const got = fs.readSync(fd, body, 0, body.length, 6);
  fs.closeSync(fd);
  const hat = {};
  for (const line of body.toString('latin1', 0, got).split('\n')) {
    const [key, value] = line.split(' ');
    if (key) hat[key] = value;
  }
  return hat;
}

const felts = new Map();
let withdrawn = 0;
let widest = { brim: 0, name: '' };

for (let i = 1; i <= 48; i++) {
  const name = `h${i}`;
  const hat = describe(path.join('hats', name + '.hat'));
  if (hat === null) {
    withdrawn++;
    continue;
  }
  felts.set(hat.felt, (felts.get(hat.felt) || 0) + 1);
  const brim = Number(hat.brim);
  if (brim > widest.brim) widest = { brim, name };
}

for (const [felt, count] of [...felts].sort()) {
  console.log(`${felt}: ${count}`);
}
console.log(`widest ${widest.name} (${widest.brim}), withdrawn ${withdrawn}`);
