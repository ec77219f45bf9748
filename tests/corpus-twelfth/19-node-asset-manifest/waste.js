'use strict';
// Gives every asset a name with its content hash and records the mapping in a manifest.
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');

const SOURCE = path.join(__dirname, 'assets');
const OUT = path.join(__dirname, 'out');

class Manifest {
  constructor(file) {
    this.file = file;
    this.entries = {};
  }

  add(logical, info) {
    this.entries[logical] = info;
    this.save();
  }

  save() {
    const ordered = Object.keys(this.entries).sort()
      .reduce((acc, k) => { acc[k] = this.entries[k]; return acc; }, {});
    fs.writeFileSync(this.file, JSON.stringify(ordered, null, 2) + '\n');
  }

  get size() {
    return Object.keys(this.entries).length;
  }
}

function hashed(logical, content) {
  const hash = crypto.createHash('sha256').update(content).digest('hex').slice(0, 10);
  const ext = path.extname(logical);
  return `${logical.slice(0, -ext.length)}.${hash}${ext}`;
}

function walk(dir, visit) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    const full = path.join(dir, e.name);
    if (e.isDirectory()) walk(full, visit);
    else visit(full);
  }
}

function main() {
  fs.mkdirSync(OUT, { recursive: true });
  const manifest = new Manifest(path.join(OUT, 'manifest.json'));
  let bytes = 0;
  walk(SOURCE, (file) => {
    const content = fs.readFileSync(file);
    const logical = path.relative(SOURCE, file);
    bytes += content.length;
    manifest.add(logical, { file: hashed(logical, content), size: content.length });
  });
  const digest = crypto.createHash('md5').update(fs.readFileSync(manifest.file)).digest('hex');
  console.log(`${manifest.size} assets, ${bytes} bytes, manifest ${digest}`);
}

main();
