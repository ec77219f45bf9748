'use strict';
// Enters gifts: the labels of the heirlooms get their new owners and values.
const fs = require('fs');
const path = require('path');

const FOLDER = 'labels';

function load(item) {
  return JSON.parse(fs.readFileSync(path.join(FOLDER, `${item}.json`), 'utf8'));
}

function save(item, label) {
  const file = path.join(FOLDER, `${item}.json`);
  fs.writeFileSync(`${file}.new`, JSON.stringify(label) + '\n');
  fs.renameSync(`${file}.new`, file);
}

function give(line) {
  const [item, owner, value] = line.split(' ');
  const label = load(item);
  label.former = (label.former || []).concat(label.owner);
  label.owner = owner;
  const change = Number(value) - label.value;
  label.value = Number(value);
  save(item, label);
  return change;
}

let change = 0;
const lines = fs.readFileSync('gifts.txt', 'utf8').trim().split('\n');
for (const line of lines) {
  change += give(line);
  console.log(`saved: ${line}`);
}
console.log(`${lines.length} gifts, value changed by ${change}`);
