// Every real path asks for every directory above it.
const fs = require('node:fs');

let lengths = 0;
for (let module = 1; module <= 12; module++) lengths += fs.realpathSync(`app/src/lib/${module}`).split('/').at(-1).length;
console.log('lengths', lengths);
