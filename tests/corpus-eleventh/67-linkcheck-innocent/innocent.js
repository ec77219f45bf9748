'use strict';
// linkcheck: reports which local links of a set of pages lead nowhere.
const fs = require('fs');
const path = require('path');

function pages(dir) {
  return fs.readdirSync(dir).filter((n) => n.endsWith('.html')).sort();
}

function linksOf(html) {
  const out = [];
  const re = /(?:href|src)="([^"#?]+)"/g;
  let m;
  while ((m = re.exec(html))) if (!/^[a-z]+:/.test(m[1])) out.push(m[1]);
  return out;
}

class Checker {
  constructor(root) {
    this.root = root;
    this.known = new Map();
  }

  exists(target) {
    let there = this.known.get(target);
    if (there === undefined) {
      there = fs.existsSync(path.join(this.root, target));
      this.known.set(target, there);
    }
    return there;
  }
}

function main() {
  const root = path.join(__dirname, 'site');
  const checker = new Checker(root);
  const broken = [];
  let links = 0;
  for (const page of pages(root)) {
    for (const link of linksOf(fs.readFileSync(path.join(root, page), 'utf8'))) {
      links++;
      if (!checker.exists(link)) broken.push(`${page}: ${link}`);
    }
  }
  fs.writeFileSync(path.join(__dirname, 'broken.txt'), broken.join('\n') + '\n');
  console.log(`${links} links, ${checker.known.size} targets, ${broken.length} broken`);
}

main();
