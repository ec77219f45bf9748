'use strict';
// Counts the seeds in every tray of a greenhouse and which kinds stand where.
const fs = require('fs');
const path = require('path');

function* seeds(dir) {
  for (const name of fs.readdirSync(dir).sort()) {
    const full = path.join(dir, name);
    if (fs.statSync(full).isDirectory()) {
      yield* seeds(full);
    } else if (name.endsWith('.seed')) {
      yield { tray: path.basename(dir), name };
    }
  }
}

const trays = new Map();
const kinds = new Map();
for (const { tray, name } of seeds('greenhouse')) {
  const [kind, generation] = name.replace('.seed', '').split('-');
  trays.set(tray, (trays.get(tray) ?? 0) + 1);
  const list = kinds.get(kind) ?? new Set();
  list.add(generation);
  kinds.set(kind, list);
}

for (const [tray, n] of trays) {
  console.log(`${tray}: ${n} pots`);
}
for (const [kind, generations] of [...kinds].sort()) {
  console.log(`${kind}: generations ${[...generations].sort().join(', ')}`);
}
