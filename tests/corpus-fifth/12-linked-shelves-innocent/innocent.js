// Lists the shelves of a library; most books there are links into the store.
'use strict';
const fs = require('fs');
const path = require('path');

// What a link leads to is not in the listing: only the links are asked for.
function kindOf(dir, entry) {
  if (entry.isDirectory()) return 'shelf';
  if (entry.isFile()) return 'own book';
  if (!entry.isSymbolicLink()) return 'other';
  const target = fs.statSync(path.join(dir, entry.name), { throwIfNoEntry: false });
  if (!target) return 'lost book';
  return target.isDirectory() ? 'linked shelf' : 'linked book';
}

function survey(dir) {
  const kinds = new Map();
  const entries = fs.readdirSync(dir, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const kind = kindOf(dir, entry);
    if (!kinds.has(kind)) kinds.set(kind, []);
    kinds.get(kind).push(entry.name);
  }
  return kinds;
}

const kinds = survey('shelves');
for (const [kind, names] of [...kinds].sort()) {
  const shown = names.length > 3 ? `${names[0]} … ${names[names.length - 1]}` : names.join(', ');
  console.log(`${kind.padEnd(12)} ${String(names.length).padStart(3)}  ${shown}`);
}
let total = 0;
for (const names of kinds.values()) total += names.length;
console.log(`${total} entries`);
