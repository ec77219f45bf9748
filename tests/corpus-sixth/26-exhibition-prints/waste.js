'use strict';
// Hangs an exhibition: copies the chosen negatives to the hall and writes the plan.
const fs = require('fs');
const path = require('path');

const HALL = 'hall';
const WALLS = ['north', 'east', 'south', 'west'];

function hang(negative, place) {
  const target = path.join(HALL, `${place}.tif`);
  fs.writeFileSync(target, fs.readFileSync(negative));
  return target;
}

function placeFor(i) {
  const wall = WALLS[i % WALLS.length];
  return `${wall}-${String(Math.floor(i / WALLS.length) + 1).padStart(2, '0')}`;
}

fs.mkdirSync(HALL);
const negatives = fs.readdirSync('negatives').sort((a, b) => parseInt(a.slice(1)) - parseInt(b.slice(1)));

const plan = [];
negatives.forEach((name, i) => {
  const place = placeFor(i);
  hang(path.join('negatives', name), place);
  plan.push({ place, name });
});
fs.writeFileSync(path.join(HALL, 'plan.json'), JSON.stringify(plan, null, 1));

for (const wall of WALLS) {
  const here = plan.filter((p) => p.place.startsWith(wall));
  console.log(`${wall} wall: ${here.length} prints, ${here[0].name} to ${here.at(-1).name}`);
}
const bytes = plan.reduce((sum, p) => sum + fs.statSync(path.join(HALL, `${p.place}.tif`)).size, 0);
console.log(`${plan.length} prints, ${bytes} bytes`);
