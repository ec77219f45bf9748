// Computes a simple check sum over the blocks of an image.
const fs = require('fs');

const BLOCK = 16;

function* blocks(file) {
  const fd = fs.openSync(file, 'r');
  const buffer = Buffer.alloc(BLOCK * 4096);
  let n;
  while ((n = fs.readSync(fd, buffer, 0, buffer.length, null)) > 0) {
    for (let at = 0; at < n; at += BLOCK) yield buffer.subarray(at, Math.min(at + BLOCK, n));
  }
  fs.closeSync(fd);
}

let sum = 0;
let count = 0;
for (const block of blocks('disk.img')) {
  for (const byte of block) sum = (sum * 31 + byte) % 1000003;
  count++;
}
console.log(`${count} blocks, sum ${sum}`);
