// Opened, and the open file is asked.
const fs = require('node:fs');

let total = 0;
for (let number = 1; number <= 20; number++) {
  const file = fs.openSync(`data/${number}`, 'r');
  if (fs.fstatSync(file).size <= 1 << 20) total += fs.readSync(file, Buffer.alloc(64));
  fs.closeSync(file);
}
console.log('bytes', total);
