// Opens a spool for others and closes it, in turns.
const fs = require('fs');

for (let number = 0; number < 30; number++) {
  fs.chmodSync('spool', number % 2 ? 0o750 : 0o755);
}
console.log('30 turns');
