// Sorts the events of a stream into events/<day>/<hour>/<number>.txt
const fs = require('fs');
const path = require('path');

class Partition {
  constructor(root) {
    this.root = root;
    this.count = new Map();
    this.made = new Set();
  }

  store(event, number) {
    const [, day, hour] = event.match(/^(\S+?)T(\d+):/);
    const dir = path.join(this.root, day, hour);
    if (!this.made.has(dir)) {
      fs.mkdirSync(dir, { recursive: true });
      this.made.add(dir);
    }
    fs.writeFileSync(path.join(dir, `${number}.txt`), event + '\n');
    this.count.set(dir, (this.count.get(dir) || 0) + 1);
  }
}

const partition = new Partition('events');
fs.readFileSync('stream.txt', 'utf8').trim().split('\n').forEach((e, i) => partition.store(e, i));
for (const [dir, n] of [...partition.count].sort()) console.log(dir, n);
