// Stores blobs by their hash; equal ones once.
const fs = require('fs');
const path = require('path');
const crypto = require('crypto');

function hash(text) {
  return crypto.createHash('sha1').update(text).digest('hex');
}

const known = new Set();

function store(text) {
  const id = hash(text);
  if (known.has(id)) return false;
  known.add(id);
  const file = path.join('objects', id);
  if (fs.existsSync(file)) return false;
  fs.writeFileSync(file, text);
  return true;
}

let stored = 0;
let present = 0;
for (let i = 0; i < 120; i++) {
  if (store(`blob ${i % 80} of ${'x'.repeat(500)}`)) stored++;
  else present++;
}
console.log(`stored ${stored}, present ${present}`);
