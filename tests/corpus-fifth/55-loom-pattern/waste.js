'use strict';
// Weaves a new motif into the pattern files of three looms: rows 2 to 5 of the pattern, 6144 bytes each.
const fs = require('fs');

const HEAD = 8;
const ROW = 6144;
const FIRST = 2;
const ROWS = 4;

function motif(seed) {
  const rows = Buffer.alloc(ROW * ROWS);
  let x = seed;
  for (let i = 0; i < rows.length; i++) {
    x = (x * 1103515245 + 12345) % 2147483648;
    rows[i] = 97 + (x >> 16) % 26;
  }
  return rows;
}

function weave(file, seed) {
  const fd = fs.openSync(file, 'r+');
  const rows = motif(seed);
  let done = 0;
  while (done < rows.length) {
    done += fs.writeSync(fd, rows, done, rows.length - done, HEAD + FIRST * ROW + done);
  }
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}

function report(file) {
  const all = fs.readFileSync(file);
  let sum = 0;
  for (const b of all) sum = (sum * 31 + b) % 1000003;
  return `${file}: ${all.length} bytes, sum ${sum}`;
}

for (const [i, loom] of ['a', 'b', 'c'].entries()) {
  const file = `looms/${loom}.pat`;
  weave(file, 11 + i * 5);
  console.log(report(file));
}
