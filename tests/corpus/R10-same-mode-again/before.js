// Puts thirty jobs into a spool.
const fs = require('fs');

for (let number = 0; number < 30; number++) {
  fs.chmodSync('spool', 0o750);
  fs.writeFileSync(`spool/${number}`, 'job\n', { flag: 'wx' });
}
console.log('30 jobs');
