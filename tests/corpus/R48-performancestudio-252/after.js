// Saves a session four times: a new file each, on the device before it is renamed over the old one.
const fs = require('node:fs');

const session = JSON.parse(fs.readFileSync('session.json', 'utf8'));
for (let query = 0; query < 4; query++) {
  session.queries += 1;
  fs.writeFileSync('session.json.new', JSON.stringify(session), { flag: 'wx', flush: true });
  fs.renameSync('session.json.new', 'session.json');
  const here = fs.openSync('.', 'r');
  fs.fsyncSync(here);
  fs.closeSync(here);
}
console.log(`${session.queries} queries`);
