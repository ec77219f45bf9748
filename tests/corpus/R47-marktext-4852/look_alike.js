// Writes a report of its own five times over, as it grows: nobody else's data can be lost.
const fs = require('node:fs');

let text = 'report\n';
fs.writeFileSync('report.md', text, { flag: 'wx' });
for (let number = 0; number < 5; number++) {
  text = fs.readFileSync('report.md', 'utf8') + `line ${number}\n`;
  fs.writeFileSync('report.md', text);
}
console.log(`reported ${text.length} bytes`);
