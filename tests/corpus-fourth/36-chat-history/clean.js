const fs = require('fs');

// Imports the export of a chat into one history for each room.
const rooms = new Map();
for (const line of fs.readFileSync('export.txt', 'utf8').trim().split('\n')) {
  const [, room, text] = line.match(/^#(\w+) (.*)$/);
  if (!rooms.has(room)) rooms.set(room, []);
  rooms.get(room).push(text + '\n');
}
for (const [room, lines] of rooms) fs.appendFileSync(`history/${room}.txt`, lines.join(''));
for (const [room, lines] of rooms) console.log(room, lines.length, fs.readFileSync(`history/${room}.txt`, 'utf8').length);
