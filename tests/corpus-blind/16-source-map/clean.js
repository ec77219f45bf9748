// Turns the positions of a stack trace into real paths.
const fs = require('fs');
const path = require('path');

const ROOT = 'link/src';
const realRoot = fs.realpathSync(ROOT);

function locate(position) {
  const [file, line] = position.split(':');
  const real = path.join(realRoot, file);
  return { file: path.relative(process.cwd(), real), line: Number(line) };
}

function main() {
  const positions = fs.readFileSync('trace.txt', 'utf8').trim().split('\n');
  const perFile = {};
  for (const position of positions) {
    const { file, line } = locate(position);
    perFile[file] = Math.max(perFile[file] || 0, line);
  }
  const files = Object.keys(perFile).sort();
  console.log(`${positions.length} positions in ${files.length} files, first ${files[0]} up to ${perFile[files[0]]}`);
}

main();
