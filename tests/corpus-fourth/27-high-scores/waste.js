const fs = require('fs');

// High scores of an arcade; a table survives the cabinet being switched off.
const FILE = 'scores.json';

function load() {
  return JSON.parse(fs.readFileSync(FILE, 'utf8'));
}

function save(table) {
  const tmp = FILE + '.tmp';
  fs.writeFileSync(tmp, JSON.stringify(table));
  fs.renameSync(tmp, FILE);
}

function enter(name, points) {
  const table = load();
  table.push({ name, points });
  table.sort((a, b) => b.points - a.points);
  save(table.slice(0, 5));
}

[['BOB', 8000], ['EVE', 9900], ['KIM', 100], ['ZOE', 7500]].forEach(([n, p]) => enter(n, p));
console.log(load().map((e) => `${e.name} ${e.points}`).join(', '));
