// Writes sixty forms to a scratch file, one after the other, and reads each back.
const fs = require('fs');

let bytes = 0;
for (let form = 0; form < 60; form++) {
  fs.writeFileSync('status', `form ${form}\n`);
  bytes += fs.readFileSync('status').length;
}
console.log(bytes > 0 ? '60 forms' : 'none');
