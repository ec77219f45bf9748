// which: where do these commands come from?
const fs = require('fs');
const path = require('path');

const dirs = ['bina', 'binb', 'bin'].map((d) => path.resolve(d));

function which(cmd) {
  for (const d of dirs) {
    const p = path.join(d, cmd);
    try {
      fs.accessSync(p, fs.constants.X_OK);
      return p;
    } catch (e) {
      if (e.code !== 'ENOENT' && e.code !== 'EACCES') throw e;
    }
  }
  return null;
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : ['lint', 'pack', 'ship', 'sign', 'test'];
for (const cmd of wanted) {
  const p = which(cmd);
  console.log(cmd.padEnd(6), p ? path.relative('.', p) : '-');
}
