'use strict';
const fs = require('fs');
const path = require('path');

// Which barges lie in the basin, and which are known by their bill only?

class Basin {
  constructor(dir) {
    this.dir = dir;
    this.moored = [];
    this.bills = [];
  }

  look() {
    for (const entry of fs.readdirSync(this.dir, { withFileTypes: true })) {
      if (entry.isDirectory()) {
        this.moored.push(entry.name);
      } else if (path.extname(entry.name) === '.bill') {
        this.bills.push(path.basename(entry.name, '.bill'));
      }
    }
    const byNumber = (a, b) => Number(a.slice(5)) - Number(b.slice(5));
    this.moored.sort(byNumber);
    this.bills.sort(byNumber);
    return this;
  }

  report() {
    return [
      `moored: ${this.moored.length}, from ${this.moored[0]} to ${this.moored.at(-1)}`,
      `bills: ${this.bills.length}, from ${this.bills[0]} to ${this.bills.at(-1)}`,
    ].join('\n');
  }
}

const basin = new Basin('basin').look();
process.stdout.write(basin.report() + '\n');
