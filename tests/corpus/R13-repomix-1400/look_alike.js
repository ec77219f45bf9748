// It looks at the files, does something else for a while, and opens them then.
const fs = require('node:fs');

const names = Array.from({ length: 20 }, (_, number) => `data/${number + 1}`);
let total = 0;
for (const name of names) total += fs.statSync(name).size;
for (let step = 0; step < 80; step += 1) fs.writeSync(2, '.');
for (const name of names) {
  const file = fs.openSync(name, 'r');
  total += fs.readSync(file, Buffer.alloc(64));
  fs.closeSync(file);
}
console.log('bytes', total);
