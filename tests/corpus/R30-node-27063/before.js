// Adds up a large file through a small buffer.
const fs = require('fs');

const file = fs.openSync('large', 'r');
const buffer = Buffer.alloc(8 * 1024);
let bytes = 0;
for (let length; (length = fs.readSync(file, buffer)) > 0;) {
  bytes += length;
}
fs.closeSync(file);
console.log(bytes, 'bytes');
