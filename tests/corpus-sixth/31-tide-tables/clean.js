'use strict';
// Collects the approved tide tables: the first line of a station's file tells its state.
const fs = require('fs');
const path = require('path');

const HEAD = 64;

function readStation(file) {
  const fd = fs.openSync(file, 'r');
  let text;
  try {
    const buf = Buffer.alloc(HEAD);
    const got = fs.readSync(fd, buf, 0, HEAD, null);
    text = buf.toString('utf8', 0, got);
  } finally {
    fs.closeSync(fd);
  }
  const lines = text.split('\n');
  const [state, name, level] = lines[0].split(';');
  if (state !== 'final') {
    return null;
  }
  const tides = lines.slice(1).filter(Boolean).map((line) => {
    const [time, height] = line.split(';');
    return { time, height: Number(height) };
  });
  return { name, level: Number(level), tides };
}

function summary(station) {
  const top = Math.max(...station.tides.map((t) => t.height));
  return station.level + top;
}

const dir = 'stations';
const names = fs.readdirSync(dir).sort();
const approved = [];
let drafts = 0;
for (const name of names) {
  const station = readStation(path.join(dir, name));
  if (station) {
    approved.push(station);
  } else {
    drafts++;
  }
}

approved.sort((a, b) => summary(b) - summary(a) || a.name.localeCompare(b.name));
console.log(`${approved.length} tables approved, ${drafts} drafts left out`);
for (const station of approved.slice(0, 3)) {
  console.log(`${station.name}: ${summary(station).toFixed(1)} m`);
}
