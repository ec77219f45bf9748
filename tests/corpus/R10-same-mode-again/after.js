// Puts thirty jobs into a spool.
const fs = require('fs');

fs.chmodSync('spool', 0o750);
for (let number = 0; number < 30; number++) {
  fs.writeFileSync(`spool/${number}`, 'job\n', { flag: 'wx' });
}
console.log('30 jobs');
