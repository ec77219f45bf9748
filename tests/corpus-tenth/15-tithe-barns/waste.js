'use strict';
// Puts the tithe of each farm into the barn of its parish, one slip for a farm.
const fs = require('fs');
const path = require('path');

function parse(line) {
  const [parish, farm, sheaves, grain] = line.split('|');
  return { parish, farm, sheaves: Number(sheaves), grain };
}

function store(entry) {
  const folder = path.join('barns', entry.parish);
  fs.mkdirSync(folder, { recursive: true });
  const tithe = Math.floor(entry.sheaves / 10);
  const slip = `${entry.farm} owes ${tithe} of ${entry.sheaves} sheaves of ${entry.grain}\n`;
  fs.writeFileSync(path.join(folder, `${entry.farm}.slip`), slip);
  return tithe;
}

const perBarn = new Map();
let slips = 0;
for (const line of fs.readFileSync('harvest.txt', 'utf8').trim().split('\n')) {
  const entry = parse(line);
  const tithe = store(entry);
  const sum = perBarn.get(entry.parish) || { wheat: 0, barley: 0 };
  sum[entry.grain] += tithe;
  perBarn.set(entry.parish, sum);
  slips += 1;
}

for (const [parish, sum] of [...perBarn].sort()) {
  console.log(`${parish}: wheat ${sum.wheat}, barley ${sum.barley}`);
}
console.log(`${slips} slips`);
