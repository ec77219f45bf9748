// Removes expired sessions.
const fs = require('fs');
const path = require('path');

function remove(file) {
  try {
    fs.unlinkSync(file);
    return true;
  } catch (e) {
    if (e.code === 'ENOENT') return false;
    throw e;
  }
}

const now = 700;
let removed = 0;
let gone = 0;
for (const line of fs.readFileSync('index.txt', 'utf8').trim().split('\n')) {
  const [id, expires] = line.split(' ');
  if (Number(expires) > now) continue;
  if (remove(path.join(__dirname, 'sessions', id))) removed++;
  else gone++;
}
console.log(`${removed} removed, ${gone} already gone`);
