'use strict';
// Publishes the current radar picture for the wall displays, once for each sweep.
// A display that finds no picture or a bad checksum waits for the next sweep.
const fs = require('fs');
const crypto = require('crypto');

function checksum(text) {
  return crypto.createHash('sha1').update(text).digest('hex').slice(0, 12);
}

function publish(picture) {
  const body = JSON.stringify(picture);
  fs.writeFileSync('radar.json.new', JSON.stringify({ check: checksum(body), body }));
  fs.renameSync('radar.json.new', 'radar.json');
}

function display() {
  try {
    const { check, body } = JSON.parse(fs.readFileSync('radar.json', 'utf8'));
    return checksum(body) === check ? JSON.parse(body) : null;
  } catch {
    return null;
  }
}

function fade(echoes) {
  return echoes
    .map((e) => ({ ...e, strength: e.strength - 8 }))
    .filter((e) => e.strength > 0);
}

const sweeps = fs.readFileSync('echoes.txt', 'utf8').trim().split('\n');
let echoes = [];
let shown = 0;
for (const [sweep, line] of sweeps.entries()) {
  const [bearing, strength, distance] = line.split(' ').map(Number);
  echoes = [...fade(echoes), { bearing, strength, distance }];
  publish({ sweep, echoes });
  shown += display()?.echoes.length ?? 0;
}
const last = display();
console.log(`${sweeps.length} sweeps, ${shown} echoes shown`);
console.log(`last picture: sweep ${last.sweep}, ${last.echoes.length} echoes`);
