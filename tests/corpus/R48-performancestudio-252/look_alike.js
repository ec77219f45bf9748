// Writes a new file in three pieces; one fsync at the end covers them all.
const fs = require('node:fs');

const session = JSON.parse(fs.readFileSync('session.json', 'utf8'));
const file = fs.openSync('session.json.new', 'wx');
for (const piece of ['{"queries": ', `${session.queries + 1}`, '}']) fs.writeSync(file, piece);
fs.fsyncSync(file);
fs.closeSync(file);
fs.renameSync('session.json.new', 'session.json');
const here = fs.openSync('.', 'r');
fs.fsyncSync(here);
fs.closeSync(here);
console.log('saved once');
