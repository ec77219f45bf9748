// Makes five directories, each after looking for it.
const fs = require('node:fs');

for (let number = 0; number < 5; number++) {
  if (!fs.existsSync(`day${number}`)) fs.mkdirSync(`day${number}`);
}
console.log('5 directories');
