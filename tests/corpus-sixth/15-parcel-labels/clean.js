'use strict';
// Writes one label file for each order, sorted by delivery route.
const fs = require('fs');
const path = require('path');

const made = new Set();

function labelFile(route, id) {
  const dir = path.join('labels', `route${route}`);
  if (!made.has(dir)) {
    fs.mkdirSync(dir, { recursive: true });
    made.add(dir);
  }
  return path.join(dir, `${id}.lbl`);
}

function checkDigit(id) {
  let sum = 0;
  let weight = 3;
  for (const d of String(id).split('').reverse()) {
    sum += Number(d) * weight;
    weight = 4 - weight;
  }
  return (10 - (sum % 10)) % 10;
}

function label(order) {
  const bar = `${order.id}${checkDigit(order.id)}`;
  return ['^XA', `^FO40,40^FD${order.address}^FS`, `^FO40,90^BC^FD${bar}^FS`, '^XZ', ''].join('\n');
}

const orders = fs
  .readFileSync('orders.csv', 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [id, route, address] = line.split(';');
    return { id, route, address };
  });

let bytes = 0;
const perRoute = new Map();
for (const order of orders) {
  const text = label(order);
  fs.writeFileSync(labelFile(order.route, order.id), text);
  bytes += text.length;
  perRoute.set(order.route, (perRoute.get(order.route) ?? 0) + 1);
}

for (const route of [...perRoute.keys()].sort()) {
  console.log(`route ${route}: ${perRoute.get(route)} labels`);
}
console.log(`${bytes} bytes`);
