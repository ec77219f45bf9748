'use strict';
// Counts the seeds in every tray of a greenhouse and which kinds stand where.
const fs = require('fs');
const path = require('path');

function* seeds(dir) {
  const entries = fs.readdirSync(dir, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.isDirectory()) {
      yield* seeds(path.join(dir, entry.name));
    } else if (entry.name.endsWith('.seed')) {
      yield { tray: path.basename(dir), name: entry.name };
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
