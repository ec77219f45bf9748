'use strict';
const fs = require('fs');

const KCAL = { flour: [364, 100], butter: [717, 100], sugar: [4, 1] };

function compute(text) {
  let total = 0;
  for (const line of text.trim().split('\n')) {
    const [what, grams] = line.split(' ');
    const [up, down] = KCAL[what];
    total += Math.floor((Number(grams) * up) / down);
  }
  return total;
}

function cached(name, stamp) {
  try {
    const entry = JSON.parse(fs.readFileSync(`.cache/${name}.json`, 'utf8'));
    return entry.mtime === stamp ? entry : null;
  } catch (e) {
    return null;
  }
}

function nutrition(name) {
  const source = `recipes/${name}.txt`;
  const stamp = fs.statSync(source).mtimeMs;
  let entry = cached(name, stamp);
  if (!entry) {
    entry = { mtime: Math.floor(stamp), kcal: compute(fs.readFileSync(source, 'utf8')) };
    fs.writeFileSync(`.cache/${name}.json`, JSON.stringify(entry) + '\n');
  }
  return entry.kcal;
}

let richest = { name: '', kcal: 0 };
let sum = 0;
for (let i = 1; i <= 22; i++) {
  const name = `r${i}`;
  const kcal = nutrition(name);
  sum += kcal;
  if (kcal > richest.kcal) richest = { name, kcal };
}
console.log(`22 recipes, ${Math.round(sum / 22)} kcal on average`);
console.log(`richest ${richest.name} with ${richest.kcal}`);
