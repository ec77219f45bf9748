// Sorts measurements into an archive of one file per sensor.
const fs = require('fs');
const path = require('path');

const sensors = new Map();

function ensureArchive() {
  if (!fs.existsSync('archive') || !fs.statSync('archive').isDirectory()) {
    fs.mkdirSync('archive');
  }
}

function record(sensor, value) {
  ensureArchive();
  if (!sensors.has(sensor)) sensors.set(sensor, []);
  sensors.get(sensor).push(value);
}

function flush() {
  let bytes = 0;
  for (const [sensor, values] of sensors) {
    const text = values.join('\n') + '\n';
    fs.writeFileSync(path.join('archive', `${sensor}.txt`), text);
    bytes += text.length;
  }
  return bytes;
}

for (let i = 0; i < 130; i++) record(`s${i % 6}`, (i * 911) % 500);
console.log(`sensors ${sensors.size}, ${flush()} bytes`);
