// node_modules is missing: so is everything in it.
const fs = require('node:fs');

let found = Number(fs.existsSync('app/node_modules'));
for (let module = 0; module < 12; module++) {
  for (const ending of ['.js', '.json']) found += fs.existsSync(`app/node_modules/m${module}${ending}`);
}
console.log('found', found);
