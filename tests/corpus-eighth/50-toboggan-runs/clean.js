// Keeps the run log of a toboggan slope, in parts of at most 600 bytes.
const fs = require('fs');

const LIMIT = 600;

class RunLog {
  constructor(base) {
    this.base = base;
    this.part = 0;
    this.next();
  }

  next() {
    if (this.fd !== undefined) fs.closeSync(this.fd);
    this.part++;
    this.file = `${this.base}.${this.part}.log`;
    this.fd = fs.openSync(this.file, 'w');
    this.size = 0;
  }

  add(line) {
    const record = Buffer.from(line + '\n');
    if (this.size + record.length > LIMIT) {
      this.next();
    }
    this.size += fs.writeSync(this.fd, record);
  }

  close() {
    fs.closeSync(this.fd);
    return this.part;
  }
}

const log = new RunLog('runs');
const best = new Map();
let number = 0;

for (const line of fs.readFileSync('times.txt', 'utf8').trim().split('\n')) {
  const [sled, text] = line.split(' ');
  const seconds = Number(text);
  number++;
  const record = best.get(sled);
  const mark = record === undefined || seconds < record ? ' best' : '';
  if (mark) best.set(sled, seconds);
  log.add(`run ${number} ${sled} ${seconds.toFixed(1)}${mark}`);
}

for (const [sled, seconds] of [...best].sort((a, b) => a[1] - b[1]).slice(0, 3)) {
  console.log(`${sled}: ${seconds.toFixed(1)} s`);
}
console.log(`${number} runs in ${log.close()} parts`);
