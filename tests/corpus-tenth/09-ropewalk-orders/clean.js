'use strict';
// Invoices for the orders of a ropewalk: so many fathoms of so many kinds.
const fs = require('fs');

const standard = JSON.parse(fs.readFileSync('prices.json', 'utf8'));
const local = localPrices();

function localPrices() {
  try {
    return JSON.parse(fs.readFileSync('prices.local.json', 'utf8'));
  } catch (err) {
    if (err.code !== 'ENOENT') throw err;
    return {};
  }
}

function priceOf(kind) {
  const prices = { ...standard, ...local };
  if (!(kind in prices)) throw new Error(`no price for ${kind}`);
  return prices[kind];
}

function invoice(line) {
  const [number, kind, fathoms] = line.split(';');
  const length = Number(fathoms);
  let cents = length * priceOf(kind);
  if (length >= 150) cents = Math.round(cents * 0.95);
  return { number, kind, length, cents };
}

const invoices = fs.readFileSync('orders.txt', 'utf8').trim().split('\n').map(invoice);
const rows = invoices.map(
  (i) => `${i.number}\t${i.kind}\t${i.length}\t${(i.cents / 100).toFixed(2)}`
);
fs.writeFileSync('invoices.tsv', rows.join('\n') + '\n');

const perKind = new Map();
for (const i of invoices) perKind.set(i.kind, (perKind.get(i.kind) || 0) + i.cents);
for (const [kind, cents] of [...perKind].sort()) {
  console.log(kind, (cents / 100).toFixed(2));
}
console.log(`${invoices.length} invoices`);
