// An editor that loads a document and saves it five times, in place.
const fs = require('node:fs');

let text = fs.readFileSync('notes.md', 'utf8');
for (let save = 0; save < 5; save++) {
  text += `line ${save}\n`;
  fs.writeFileSync('notes.md', text);
}
console.log(`saved ${text.length} bytes`);
