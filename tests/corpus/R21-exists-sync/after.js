// The listing says it.
const fs = require('fs');
console.log(fs.readdirSync('names').length, 'names');
