// Translates the captions of a museum guide from British to American English.
'use strict';
const fs = require('fs');
const path = require('path');

function load(name, optional) {
  try {
    return JSON.parse(fs.readFileSync(path.join('data', name), 'utf8'));
  } catch (err) {
    if (optional && err.code === 'ENOENT') return {};
    throw err;
  }
}

// The curators may put their own words beside ours.
const words = new Map([
  ...Object.entries(load('glossary.json', false)),
  ...Object.entries(load('glossary.local.json', true)),
]);

function lookup(word) {
  return words.has(word) ? words.get(word) : null;
}

function translate(caption, stats) {
  return caption.split(' ').map((word) => {
    const hit = word.length > 3 ? lookup(word) : null;
    if (hit === null) return word;
    stats[hit] = (stats[hit] || 0) + 1;
    return hit;
  }).join(' ');
}

const stats = {};
const lines = fs.readFileSync(path.join('data', 'captions.txt'), 'utf8').trimEnd().split('\n');
const out = lines.map((line) => translate(line, stats));
fs.writeFileSync(path.join('data', 'captions.us.txt'), out.join('\n') + '\n');

console.log(out[0]);
console.log(out[out.length - 1]);
for (const word of Object.keys(stats).sort()) {
  console.log(word.padEnd(10) + stats[word]);
}
console.log(`${out.length} captions`);
