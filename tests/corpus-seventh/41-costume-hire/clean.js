'use strict';
const fs = require('fs');
const path = require('path');

const ROOM = 'wardrobe';
const names = fs.readdirSync(ROOM);

function findCostume(wanted) {
  return names.find((name) => name.startsWith(wanted + '-'));
}

function sizeOf(name) {
  return Number(path.basename(name, '.txt').split('-')[1]);
}

const orders = fs.readFileSync('orders.txt', 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [guest, costume] = line.split(' ');
    return { guest, costume };
  });

const slips = [];
const missing = [];
const sizes = new Map();
for (const order of orders) {
  const name = findCostume(order.costume);
  if (!name) {
    missing.push(order.guest);
    continue;
  }
  const size = sizeOf(name);
  sizes.set(size, (sizes.get(size) || 0) + 1);
  slips.push(`${order.guest} takes ${order.costume} in ${size}`);
}

fs.writeFileSync('slips.txt', slips.join('\n') + '\n');
console.log(`${slips.length} costumes handed out, ${missing.length} missing`);
console.log([...sizes].sort().map(([s, n]) => `size ${s}: ${n}`).join(', '));
