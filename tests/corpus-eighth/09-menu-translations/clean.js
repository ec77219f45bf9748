'use strict';
// Translates a menu word by word; a house may override words in a local glossary.
const fs = require('fs');

const base = JSON.parse(fs.readFileSync('glossary.json', 'utf8'));

function localWords() {
  try {
    return JSON.parse(fs.readFileSync('glossary.local.json', 'utf8'));
  } catch (e) {
    if (e.code !== 'ENOENT') throw e;
    return {};
  }
}

const words = { ...base, ...localWords() };

function translate(dish) {
  return dish.split(' ').map((w) => words[w] ?? w).join(' ');
}

function price(units) {
  return (units * 0.95).toFixed(2) + ' EUR';
}

const lines = fs.readFileSync('menu.txt', 'utf8').trim().split('\n');
const out = [];
const seen = new Map();
for (const line of lines) {
  const [dish, units] = line.split(';');
  const name = translate(dish);
  out.push(name.padEnd(24) + price(Number(units)));
  seen.set(name, (seen.get(name) ?? 0) + 1);
}
fs.writeFileSync('menu.it.txt', out.join('\n') + '\n');
for (const [name, n] of [...seen].sort()) {
  console.log(`${name}: ${n} times`);
}
