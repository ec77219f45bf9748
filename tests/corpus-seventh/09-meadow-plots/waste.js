'use strict';
const fs = require('fs');
const path = require('path');

const usual = { minutesPerAre: 4, wetFactor: 2, crew: ['Ada', 'Bo', 'Cy'] };

function settings(dir) {
  let local = {};
  try {
    local = JSON.parse(fs.readFileSync(path.join(dir, 'mowing.local.json'), 'utf8'));
  } catch (err) {
    if (err.code !== 'ENOENT') throw err;
  }
  return { ...usual, ...local };
}

function minutes(plot) {
  const rules = settings('plots');
  const base = plot.are * rules.minutesPerAre;
  return plot.wet ? base * rules.wetFactor : base;
}

function plan(meadows) {
  const load = new Map(usual.crew.map((name) => [name, 0]));
  for (const plot of meadows) {
    const [name] = [...load.entries()].sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))[0];
    load.set(name, load.get(name) + minutes(plot));
  }
  return load;
}

const meadows = JSON.parse(fs.readFileSync('plots/meadows.json', 'utf8'));
const load = plan(meadows);
let text = '';
for (const [name, time] of load) {
  text += `${name} mows ${time} minutes\n`;
}
fs.writeFileSync('plots/plan.txt', text);
process.stdout.write(`${meadows.length} meadows\n${text}`);
