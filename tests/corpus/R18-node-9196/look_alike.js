// Three names in a missing directory are no habit.
const fs = require('node:fs');

let found = Number(fs.existsSync('app/node_modules'));
for (let module = 0; module < 3; module++) found += fs.existsSync(`app/node_modules/m${module}.js`);
console.log('found', found);
