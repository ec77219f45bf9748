// Makes five directories; that one is there already is no error.
const fs = require('node:fs');

for (let number = 0; number < 5; number++) {
  try {
    fs.mkdirSync(`day${number}`);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}
console.log('5 directories');
