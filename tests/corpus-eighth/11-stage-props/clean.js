'use strict';
// Prints how much wall space the pictures of the props need, act by act.
const fs = require('fs');
const path = require('path');

const ENDINGS = ['.webp', '.png', '.jpg', '.svg'];

const present = new Set(fs.readdirSync('props'));

function readPicture(name) {
  for (const ending of ENDINGS) {
    if (present.has(name + ending)) {
      return fs.readFileSync(path.join('props', name + ending), 'utf8');
    }
  }
  throw new Error('no picture of ' + name);
}

function area(picture) {
  const [, width, height] = picture.match(/(\d+)x(\d+)/);
  return Number(width) * Number(height);
}

const acts = new Map();
for (const line of fs.readFileSync('plot.txt', 'utf8').trim().split('\n')) {
  const [act, name] = line.split(': ');
  const entry = acts.get(act) ?? { props: 0, area: 0 };
  entry.props++;
  entry.area += area(readPicture(name));
  acts.set(act, entry);
}
for (const [act, { props, area: sum }] of [...acts].sort()) {
  console.log(`${act}: ${props} props, ${(sum / 10000).toFixed(2)} m2`);
}
