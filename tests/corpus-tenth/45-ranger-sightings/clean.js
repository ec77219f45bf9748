// Rangers report their sightings tour by tour; every tour is confirmed once it is on disk.
'use strict';
const fs = require('fs');

const STATE = 'state/sightings.json';

function save(state) {
  const fd = fs.openSync(STATE + '.new', 'w');
  try {
    fs.writeSync(fd, JSON.stringify(state, null, 1) + '\n');
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
  fs.renameSync(STATE + '.new', STATE);
  const dir = fs.openSync('state', 'r');
  try {
    fs.fsyncSync(dir);
  } finally {
    fs.closeSync(dir);
  }
}

function byTour(text) {
  const tours = new Map();
  for (const line of text.trim().split('\n')) {
    const [tour, animal, count] = line.split(' ');
    if (!tours.has(tour)) tours.set(tour, []);
    tours.get(tour).push([animal, Number(count)]);
  }
  return tours;
}

const state = JSON.parse(fs.readFileSync(STATE, 'utf8'));
const tours = byTour(fs.readFileSync('tours.txt', 'utf8'));

for (const [tour, sightings] of tours) {
  let seen = 0;
  for (const [animal, count] of sightings) {
    state[animal] = (state[animal] ?? 0) + count;
    seen += count;
  }
  save(state);
  console.log(`${tour}: ${seen} animals, saved`);
}

const total = Object.values(state).reduce((a, b) => a + b, 0);
console.log(`${tours.size} tours, ${total} animals`);
