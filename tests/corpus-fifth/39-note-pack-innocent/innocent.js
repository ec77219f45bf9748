'use strict';
// Packs the notes of past years: the directory notes/2019 becomes one file notes/2019.
const fs = require('fs');
const path = require('path');

function syncDir(dir) {
  const fd = fs.openSync(dir, 'r');
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}

function pack(dir, packed) {
  const names = fs.readdirSync(dir).sort();
  const parts = names.map((n) => {
    const text = fs.readFileSync(path.join(dir, n), 'utf8');
    return `== ${n} ${Buffer.byteLength(text)}\n${text}`;
  });
  const fd = fs.openSync(packed, 'wx');
  fs.writeFileSync(fd, parts.join(''));
  fs.fsyncSync(fd);
  fs.closeSync(fd);
  return names;
}

function turnIntoFile(dir) {
  const packed = `${dir}.pack`;
  const names = pack(dir, packed);
  // from here on the .pack file is the one that counts, also after a crash
  syncDir(path.dirname(dir));
  for (const n of names) fs.unlinkSync(path.join(dir, n));
  // a file cannot be renamed over a directory, not even over an empty one
  fs.rmdirSync(dir);
  fs.renameSync(packed, dir);
  syncDir(path.dirname(dir));
  return names.length;
}

for (const year of ['2019', '2020', '2021']) {
  const dir = path.join('notes', year);
  const n = turnIntoFile(dir);
  console.log(`${dir}: ${n} notes in ${fs.statSync(dir).size} bytes`);
}
