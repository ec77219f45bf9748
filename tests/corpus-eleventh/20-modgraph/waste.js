'use strict';
// modgraph: counts which real package every import of a linked workspace means.
const fs = require('fs');
const path = require('path');

const ROOT = path.join(__dirname, 'ws');

function importsOf(text) {
  const out = [];
  const re = /require\('([^']+)'\)/g;
  let m;
  while ((m = re.exec(text))) out.push(m[1]);
  return out;
}

class Resolver {
  constructor(root) {
    this.root = root;
    this.asked = 0;
  }

  resolve(name) {
    this.asked++;
    return fs.realpathSync(path.join(this.root, 'node_modules', name, 'index.js'));
  }
}

function main() {
  const resolver = new Resolver(ROOT);
  const count = new Map();
  const apps = fs.readdirSync(path.join(ROOT, 'apps')).sort();
  for (const app of apps) {
    const text = fs.readFileSync(path.join(ROOT, 'apps', app), 'utf8');
    for (const name of importsOf(text)) {
      const real = path.relative(ROOT, resolver.resolve(name));
      count.set(real, (count.get(real) || 0) + 1);
    }
  }
  const rows = [...count].sort((a, b) => (a[0] < b[0] ? -1 : 1));
  for (const [real, n] of rows) console.log(`${n}\t${real}`);
  console.log(`${apps.length} files, ${resolver.asked} imports`);
}

main();
