// One directory is asked for its own sake, each time that it may have become a link, and nothing below it.
const fs = require('node:fs');

let links = 0;
for (let release = 1; release <= 12; release++) {
  try {
    fs.readlinkSync('app');
    links++;
  } catch {
    links += fs.statSync(`app/src/lib/${release}`).isSymbolicLink();
  }
}
console.log('links', links);
