'use strict';
const fs = require('fs');
const path = require('path');

const ARCHIVE = 'archive';

class Archive {
  constructor(dir) {
    this.dir = dir;
    this.added = 0;
  }

  drawings() {
    return fs.readdirSync(this.dir).filter(n => n.endsWith('.drw'));
  }

  sheetsOf(workshop) {
    return this.drawings()
      .map(n => /^(\w+)-(\d+)\.drw$/.exec(n))
      .filter(m => m && m[1] === workshop)
      .map(m => Number(m[2]));
  }

  nextName(workshop) {
    const next = Math.max(0, ...this.sheetsOf(workshop)) + 1;
    return `${workshop}-${String(next).padStart(3, '0')}.drw`;
  }

  add(drawing) {
    const name = this.nextName(drawing.workshop);
    const text = `litres ${drawing.litres}\ntaps ${drawing.taps}\n`;
    fs.writeFileSync(path.join(this.dir, name), text, { flag: 'wx' });
    this.added++;
    return name;
  }
}

const archive = new Archive(ARCHIVE);
const perWorkshop = new Map();
let litres = 0;
for (const line of fs.readFileSync('incoming.txt', 'utf8').trim().split('\n')) {
  const [workshop, l, taps] = line.split(' ');
  const name = archive.add({ workshop, litres: Number(l), taps: Number(taps) });
  perWorkshop.set(workshop, name);
  litres += Number(l);
}
console.log(`${archive.added} drawings filed, ${litres} litres`);
for (const [workshop, name] of [...perWorkshop].sort()) console.log(`${workshop}: last is ${name}`);
