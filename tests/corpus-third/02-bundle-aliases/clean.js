// Collects the import graph of a small TypeScript project.
const fs = require('fs');
const path = require('path');

let paths = null;

function aliases() {
  if (!paths) {
    try {
      paths = JSON.parse(fs.readFileSync('tsconfig.json', 'utf8')).compilerOptions.paths;
    } catch (e) {
      if (e.code !== 'ENOENT') throw e;
      paths = {};
    }
  }
  return paths;
}

function resolve(spec, from) {
  const map = aliases();
  for (const a of Object.keys(map)) {
    if (spec.startsWith(a + '/')) return path.join(map[a], spec.slice(a.length + 1));
  }
  return path.join(path.dirname(from), spec);
}

const edges = new Map();
for (const name of fs.readdirSync('src')) {
  const file = path.join('src', name);
  const text = fs.readFileSync(file, 'utf8');
  for (const m of text.matchAll(/from "([^"]+)"/g)) {
    const to = resolve(m[1], file);
    edges.set(to, (edges.get(to) || 0) + 1);
  }
}
console.log(edges.size, edges.get('src/x'), edges.get('src/m1'));
