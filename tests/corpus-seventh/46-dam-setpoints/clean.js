'use strict';
const fs = require('fs');

const journal = fs.openSync('journal.log', 'a');

function gateFor(level) {
  if (level > 90) return 80;
  if (level > 75) return 40;
  return 10;
}

function note(text) {
  fs.writeSync(journal, text + '\n');
}

function save(name, value) {
  const fresh = `${name}.new`;
  const fd = fs.openSync(fresh, 'w');
  fs.writeSync(fd, JSON.stringify(value) + '\n');
  fs.fsyncSync(fd);
  fs.closeSync(fd);
  fs.renameSync(fresh, name);
}

let opened = 0;
let sum = 0;
for (let n = 1; n <= 16; n++) {
  const name = `dams/dam${n}.json`;
  const dam = JSON.parse(fs.readFileSync(name, 'utf8'));
  const gate = gateFor(dam.level);
  note(`dam ${dam.dam} level ${dam.level} gate ${dam.gate} -> ${gate}`);
  if (gate > dam.gate) opened++;
  dam.gate = gate;
  sum += gate;
  save(name, dam);
}
const dir = fs.openSync('dams', 'r');
fs.fsyncSync(dir);
fs.closeSync(dir);
fs.closeSync(journal);
console.log(`${opened} gates opened, ${(sum / 16).toFixed(1)}% on average`);
