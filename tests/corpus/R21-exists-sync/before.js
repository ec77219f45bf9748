// Whether each of the names that were just listed is there.
const fs = require('fs');
const there = fs.readdirSync('names').filter((name) => fs.existsSync('names/' + name));
console.log(there.length, 'names');
