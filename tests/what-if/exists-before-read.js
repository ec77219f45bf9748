// calls: access(*.conf)
// A file is asked for before it is read; the patch reads it.
const { existsSync, readFileSync } = require('fs');

const old = process.argv[2] === 'old';
for (let turn = 0; turn < 15000; turn++) {
  if (old && !existsSync('app.conf')) process.exit(1);
  readFileSync('app.conf');
}
