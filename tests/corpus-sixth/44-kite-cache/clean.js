'use strict';
// Throws away the cached drawings of the kites whose plans have changed.
const fs = require('fs');
const { join } = require('path');

class DrawingCache {
  constructor(dir) {
    this.dir = dir;
    this.dropped = [];
    this.absent = 0;
  }

  fileOf(kite) {
    return join(this.dir, `${kite}.json`);
  }

  invalidate(kite) {
    const file = this.fileOf(kite);
    try {
      fs.unlinkSync(file);
      this.dropped.push(kite);
    } catch (err) {
      if (err.code !== 'ENOENT') throw err;
      this.absent++;
    }
  }
}

function changedKites(list) {
  return fs.readFileSync(list, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [kite, version] = line.split(' ');
      return { kite, version: Number(version) };
    })
    .filter(({ version }) => version > 0);
}

const cache = new DrawingCache('cache');
const changed = changedKites('changed.txt');
for (const { kite } of changed) {
  cache.invalidate(kite);
}
console.log(`${changed.length} plans changed`);
console.log(`${cache.dropped.length} drawings dropped, ${cache.absent} were not cached`);
console.log(`left: ${fs.readdirSync('cache').length}`);
