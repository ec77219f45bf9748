const fs = require('fs');

// Imports the export of a chat into one history for each room.
const rooms = new Map();
for (const line of fs.readFileSync('export.txt', 'utf8').trim().split('\n')) {
  const [, room, text] = line.match(/^#(\w+) (.*)$/);
  fs.appendFileSync(`history/${room}.txt`, text + '\n');
  rooms.set(room, (rooms.get(room) || 0) + 1);
}
for (const [room, n] of rooms) console.log(room, n, fs.readFileSync(`history/${room}.txt`, 'utf8').length);
