// Orders the invoices of an almond merchant by amount, grove by grove, with sort(1).
'use strict';
const fs = require('fs');
const { execFileSync } = require('child_process');

function byGrove(path) {
  const groves = new Map();
  for (const line of fs.readFileSync(path, 'utf8').trim().split('\n')) {
    const [grove, amount, invoice] = line.split(',');
    if (!groves.has(grove)) groves.set(grove, []);
    groves.get(grove).push(`${amount} ${invoice}`);
  }
  return groves;
}

function sorted(grove, lines) {
  const tmp = `tmp-${process.pid}-${grove}`;
  fs.writeFileSync(tmp, lines.join('\n') + '\n', { flag: 'wx' });
  try {
    return execFileSync('sort', ['-n', tmp], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } })
      .trim()
      .split('\n');
  } finally {
    fs.unlinkSync(tmp);
  }
}

let invoices = 0;
let total = 0;
let text = '';
const groves = byGrove('invoices.csv');
for (const grove of [...groves.keys()].sort()) {
  const lines = sorted(grove, groves.get(grove));
  const sum = lines.reduce((s, l) => s + Number(l.split(' ')[0]), 0);
  text += `${grove}: ${sum}\n` + lines.map((l) => `  ${l}\n`).join('');
  invoices += lines.length;
  total += sum;
  console.log(`${grove}: cheapest ${lines[0]}, dearest ${lines[lines.length - 1]}`);
}
fs.writeFileSync('ordered.txt', text);
console.log(`${invoices} invoices, ${total} crowns`);
