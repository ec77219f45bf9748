'use strict';
// Brightens the dark tiles of the moon atlas (a file of 16 KiB tiles, the only copy there is).
const fs = require('fs');

const TILE = 16 * 1024;
const ATLAS = 'moon.atlas';

function mean(tile) {
  let sum = 0;
  for (const b of tile) sum += b;
  return sum / tile.length;
}

function brighten(tile, by) {
  for (let i = 0; i < tile.length; i++) {
    tile[i] = Math.min(255, tile[i] + by);
  }
}

function readTile(fd, nr) {
  const tile = Buffer.alloc(TILE);
  const got = fs.readSync(fd, tile, 0, TILE, nr * TILE);
  return tile.subarray(0, got);
}

function brightenAtlas(path, wanted) {
  const fd = fs.openSync(path, 'r+');
  try {
    const tiles = Math.ceil(fs.fstatSync(fd).size / TILE);
    const report = [];
    for (let nr = 0; nr < tiles; nr++) {
      const tile = readTile(fd, nr);
      const before = mean(tile);
      if (before >= wanted) continue;
      brighten(tile, Math.ceil(wanted - before));
      fs.writeSync(fd, tile, 0, tile.length, nr * TILE);
      report.push({ nr, before, after: mean(tile) });
    }
    fs.fsyncSync(fd);
    return { tiles, report };
  } finally {
    fs.closeSync(fd);
  }
}

const { tiles, report } = brightenAtlas(ATLAS, 120);
console.log(`${tiles} tiles, ${report.length} brightened`);
for (const { nr, before, after } of report) {
  console.log(`tile ${nr}: ${before.toFixed(2)} -> ${after.toFixed(2)}`);
}
