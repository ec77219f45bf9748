// The directory's real path is kept; of a file only its own link is asked for.
const fs = require('node:fs');
const path = require('node:path');

const directory = fs.realpathSync('app/src/lib');
let lengths = 0;
for (let module = 1; module <= 12; module++) {
  const file = path.join(directory, String(module));
  lengths += (fs.lstatSync(file).isSymbolicLink() ? fs.realpathSync(file) : file).split('/').at(-1).length;
}
console.log('lengths', lengths);
