// The size by path, then the content by path.
const fs = require('node:fs');

let total = 0;
for (let number = 1; number <= 20; number++) {
  const name = `data/${number}`;
  if (fs.statSync(name).size > 1 << 20) continue;
  const file = fs.openSync(name, 'r');
  total += fs.readSync(file, Buffer.alloc(64));
  fs.closeSync(file);
}
console.log('bytes', total);
