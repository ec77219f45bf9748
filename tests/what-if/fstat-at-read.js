// calls: statx(*.conf)
// patch: statx
// Node asks for the size of each file before it reads it; the patch takes that call away.
const { readFileSync } = require('fs');

for (let turn = 0; turn < 20000; turn++) readFileSync('app.conf');
