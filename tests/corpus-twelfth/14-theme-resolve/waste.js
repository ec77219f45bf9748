'use strict';
// Puts a page together from partials; a theme layer may override those below it.
const fs = require('fs');
const path = require('path');
const crypto = require('crypto');

const LAYERS = ['tenant', 'campaign', 'brand', 'season', 'region', 'base'];
const EXTENSIONS = ['.hbs', '.ejs', '.html'];

class Resolver {
  constructor(root) {
    this.root = root;
  }

  // The file that serves a partial: highest layer first.
  find(name) {
    for (const layer of LAYERS) {
      for (const ext of EXTENSIONS) {
        const file = path.join(this.root, layer, 'partials', name + ext);
        if (fs.existsSync(file)) return { layer, file };
      }
    }
    throw new Error(`no partial ${name}`);
  }
}

function assemble(resolver, names) {
  const perLayer = new Map();
  const parts = [];
  for (const name of names) {
    const hit = resolver.find(name);
    perLayer.set(hit.layer, (perLayer.get(hit.layer) || 0) + 1);
    parts.push(fs.readFileSync(hit.file, 'utf8'));
  }
  return { html: parts.join(''), perLayer };
}

function main(argv) {
  if (argv.length !== 1) {
    console.error('usage: resolve.js PAGE');
    return 2;
  }
  const names = fs.readFileSync(argv[0], 'utf8').split('\n').filter(Boolean);
  const resolver = new Resolver(path.join(__dirname, 'themes'));
  const { html, perLayer } = assemble(resolver, names);
  const layers = [...perLayer].sort().map(([k, v]) => `${k}:${v}`).join(' ');
  const sum = crypto.createHash('sha1').update(html).digest('hex').slice(0, 12);
  console.log(`${names.length} partials ${sum} ${layers}`);
  return 0;
}

process.exitCode = main(process.argv.slice(2));
