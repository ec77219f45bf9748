// Books the day's entries into the ledger of a small shop.
const fs = require('fs');

function load() {
  return JSON.parse(fs.readFileSync('ledger.json', 'utf8'));
}

function save(ledger) {
  const fd = fs.openSync('ledger.json.new', 'w');
  fs.writeSync(fd, JSON.stringify(ledger));
  fs.fsyncSync(fd);
  fs.closeSync(fd);
  fs.renameSync('ledger.json.new', 'ledger.json');
  const dir = fs.openSync('.', 'r');
  fs.fsyncSync(dir);
  fs.closeSync(dir);
}

function book(cents) {
  const ledger = load();
  const id = ledger.entries[ledger.entries.length - 1].id + 1;
  ledger.entries.push({ id, cents });
  ledger.balance += cents;
  save(ledger);
}

for (const cents of [1250, -300, 999]) book(cents);
const { balance, entries } = load();
console.log(`balance ${balance}, ${entries.length} entries`);
