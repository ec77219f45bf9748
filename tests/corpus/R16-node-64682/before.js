// The same file is missing thirty times.
const fs = require('node:fs');

let packages = 0;
for (let module = 0; module < 30; module++) packages += fs.existsSync('modules/package.json');
console.log('packages', packages);
