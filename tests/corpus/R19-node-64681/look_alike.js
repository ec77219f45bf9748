// It looks for names that are free, and makes the files.
const fs = require('node:fs');

let made = 0;
for (let module = 1; module <= 10; module++) {
  const name = `lib/n${module}`;
  for (const ending of ['', '.1', '.2']) if (fs.existsSync(name + ending)) continue;
  fs.closeSync(fs.openSync(`${name}.3`, 'wx'));
  made++;
}
console.log('made', made);
