// An editor that loads a document and saves it five times: a new file each, put in its place when it is whole.
const fs = require('node:fs');

function save(path, text) {
  const file = fs.openSync(`${path}.new`, 'wx');
  fs.writeSync(file, text);
  fs.fsyncSync(file);
  fs.closeSync(file);
  fs.renameSync(`${path}.new`, path);
  const here = fs.openSync('.', 'r');
  fs.fsyncSync(here);
  fs.closeSync(here);
}

let text = fs.readFileSync('notes.md', 'utf8');
for (let number = 0; number < 5; number++) {
  text += `line ${number}\n`;
  save('notes.md', text);
}
console.log(`saved ${text.length} bytes`);
