// Tells how the jobs of the night ended, by the last line of each log.
const fs = require('fs');
const path = require('path');

function lastLine(file) {
  const fd = fs.openSync(file, 'r');
  const size = fs.fstatSync(fd).size;
  const length = Math.min(size, 64);
  const buffer = Buffer.alloc(length);
  fs.readSync(fd, buffer, 0, length, size - length);
  return buffer.toString('utf8').trim().split('\n').pop();
}

function main() {
  const results = {};
  for (const name of fs.readdirSync('logs').sort()) {
    const line = lastLine(path.join('logs', name));
    results[line] = (results[line] || 0) + 1;
  }
  for (const [line, number] of Object.entries(results).sort()) console.log(`${line}: ${number}`);
}

main();
