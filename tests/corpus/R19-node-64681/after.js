// The ending is written where the name is written.
const fs = require('node:fs');

let length = 0;
for (let module = 1; module <= 10; module++) length += fs.statSync(`lib/m${module}.json`).size;
console.log('length', length);
