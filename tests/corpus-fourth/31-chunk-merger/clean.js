const fs = require('fs');
const crypto = require('crypto');

// Puts the chunks of an upload together, in their order.
function chunk(n) {
  const fd = fs.openSync(`chunks/${n}`, 'r');
  const buffer = Buffer.alloc(fs.fstatSync(fd).size);
  const length = fs.readSync(fd, buffer, 0, buffer.length, 0);
  fs.closeSync(fd);
  return buffer.subarray(0, length);
}

const out = fs.openSync('upload.bin', 'w');
const hash = crypto.createHash('sha256');
let total = 0;
for (let n = 0; n < 120; n++) {
  const data = chunk(n);
  hash.update(data);
  total += fs.writeSync(out, data);
}
fs.closeSync(out);
console.log(total, 'bytes', hash.digest('hex').slice(0, 16));
