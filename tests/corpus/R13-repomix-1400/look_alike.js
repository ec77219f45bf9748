// It looks at the files, does something else for a while, and opens them then.
const fs = require('node:fs');

const names = Array.from({ length: 20 }, (_, number) => `data/${number + 1}`);
let total = 0;
for (const name of names) total += fs.statSync(name).size;
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
for (const name of names) {
  const file = fs.openSync(name, 'r');
  total += fs.readSync(file, Buffer.alloc(64));
  fs.closeSync(file);
}
console.log('bytes', total);
