// Adds up a file of ten buffers: there is too little to read.
const fs = require('fs');

const file = fs.openSync('small', 'r');
const buffer = Buffer.alloc(8 * 1024);
let bytes = 0;
for (let length; (length = fs.readSync(file, buffer)) > 0;) {
  bytes += length;
}
fs.closeSync(file);
console.log(bytes, 'bytes');
