// Walks the import graph of a source tree from its entry module.
const fs = require('fs');
const path = require('path');

const SUFFIXES = ['.js', '.json', '.jsx', '.ts', '.tsx'];
let listing;

function resolve(dir, name) {
  if (!listing) listing = new Set(fs.readdirSync(dir));
  for (const suffix of SUFFIXES) {
    if (listing.has(name + suffix)) return path.join(dir, name + suffix);
  }
  throw new Error(`cannot find module ${name}`);
}

function walk(dir, entry) {
  const seen = new Set();
  const queue = [entry];
  let bytes = 0;
  while (queue.length) {
    const name = queue.shift();
    if (seen.has(name)) continue;
    seen.add(name);
    const text = fs.readFileSync(resolve(dir, name), 'utf8');
    bytes += text.length;
    for (const match of text.matchAll(/^import (\w+)$/gm)) queue.push(match[1]);
  }
  return { modules: seen.size, bytes };
}

const { modules, bytes } = walk('src', 'm0');
console.log(`${modules} modules, ${bytes} bytes`);
