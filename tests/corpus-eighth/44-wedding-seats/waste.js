// Brings the place cards of a wedding up to date with the latest answers.
const fs = require('fs');
const path = require('path');

const DIR = 'cards';

function card(guest) {
  return path.join(DIR, guest + '.txt');
}

function discard(guest) {
  const file = card(guest);
  if (!fs.existsSync(file)) {
    return false;
  }
  fs.unlinkSync(file);
  return true;
}

function seat(guest, table) {
  fs.writeFileSync(card(guest), `${guest} at table ${table}\n`);
}

const answers = fs.readFileSync('answers.txt', 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [guest, answer, table] = line.split(' ');
    return { guest, answer, table: Number(table) };
  });

const tables = new Map();
let removed = 0;
let nothing = 0;

for (const { guest, answer, table } of answers) {
  if (answer === 'yes') {
    seat(guest, table);
    tables.set(table, (tables.get(table) || 0) + 1);
  } else if (discard(guest)) {
    removed++;
  } else {
    nothing++;
  }
}

for (const [table, guests] of [...tables].sort((a, b) => a[0] - b[0])) {
  console.log(`table ${table}: ${guests}`);
}
console.log(`${removed} cards removed, ${nothing} never made`);
