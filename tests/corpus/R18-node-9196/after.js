// It asks for the directory, and for nothing in it.
const fs = require('node:fs');

let found = Number(fs.existsSync('app/node_modules'));
if (found) {
  for (let module = 0; module < 12; module++) {
    for (const ending of ['.js', '.json']) found += fs.existsSync(`app/node_modules/m${module}${ending}`);
  }
}
console.log('found', found);
