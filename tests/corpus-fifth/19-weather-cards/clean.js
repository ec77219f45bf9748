// Sums up a year of weekly weather cards: warmest week, wettest week, frost days.
'use strict';
const fs = require('fs');

function readCard(name) {
  const fd = fs.openSync(name, 'r');
  try {
    const buffer = Buffer.alloc(fs.fstatSync(fd).size);
    let length = 0;
    while (length < buffer.length) {
      const n = fs.readSync(fd, buffer, length, buffer.length - length, null);
      if (n === 0) break;
      length += n;
    }
    return buffer.toString('latin1', 0, length);
  } finally {
    fs.closeSync(fd);
  }
}

function summary(text) {
  const week = { max: -99, rain: 0, frost: 0 };
  for (const m of text.matchAll(/min (-?\d+) max (-?\d+) rain (\d+)/g)) {
    week.max = Math.max(week.max, Number(m[2]));
    week.rain += Number(m[3]);
    if (Number(m[1]) < 0) week.frost++;
  }
  return week;
}

let warmest = { max: -99 };
let wettest = { rain: -1 };
let frost = 0;
for (let i = 1; i <= 54; i++) {
  const card = summary(readCard(`cards/week${String(i).padStart(2, '0')}.txt`));
  if (card.max > warmest.max) warmest = { ...card, i };
  if (card.rain > wettest.rain) wettest = { ...card, i };
  frost += card.frost;
}
console.log(`warmest: week ${warmest.i}, ${warmest.max} degrees`);
console.log(`wettest: week ${wettest.i}, ${wettest.rain} mm`);
console.log(`${frost} days of frost`);
