'use strict';
// Makes room in the preview folder: removes the largest previews until the quota is kept, and
// tells how much was freed by each.
const fs = require('fs');
const path = require('path');

const QUOTA = 12000;

function human(bytes) {
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`;
}

function measure(dir) {
  return fs.readdirSync(dir)
    .filter((name) => name.endsWith('.prev'))
    .map((name) => {
      const file = path.join(dir, name);
      const { size } = fs.lstatSync(file);
      return { file, name, size };
    });
}

function* toDrop(previews, quota) {
  let used = previews.reduce((sum, p) => sum + p.size, 0);
  const largestFirst = [...previews].sort((a, b) => b.size - a.size || a.name.localeCompare(b.name));
  for (const preview of largestFirst) {
    if (used <= quota) return;
    used -= preview.size;
    yield preview;
  }
}

function main() {
  const previews = measure('previews');
  let freed = 0;
  let dropped = 0;
  for (const { file, name, size } of toDrop(previews, QUOTA)) {
    fs.unlinkSync(file);
    freed += size;
    dropped++;
    if (dropped <= 3) console.log(`${name}: ${human(size)}`);
  }
  console.log(`${dropped} of ${previews.length} previews dropped, ${human(freed)} freed`);
}

main();
