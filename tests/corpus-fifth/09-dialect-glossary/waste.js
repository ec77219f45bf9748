// Translates the captions of a museum guide from British to American English.
'use strict';
const fs = require('fs');
const path = require('path');

const base = JSON.parse(fs.readFileSync(path.join('data', 'glossary.json'), 'utf8'));

// The curators may put their own words beside ours.
function lookup(word) {
  const own = path.join('data', 'glossary.local.json');
  if (fs.existsSync(own)) {
    const local = JSON.parse(fs.readFileSync(own, 'utf8'));
    if (word in local) return local[word];
  }
  return word in base ? base[word] : null;
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
