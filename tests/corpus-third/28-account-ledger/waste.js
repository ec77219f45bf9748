// Moves money between accounts.
const fs = require('fs');

const FILE = 'accounts.json';

function load() {
  return JSON.parse(fs.readFileSync(FILE, 'utf8'));
}

function store(accounts) {
  fs.writeFileSync(FILE, JSON.stringify(accounts));
}

function transfer(from, to, amount) {
  const a = load();
  if ((a[from] || 0) < amount) return false;
  a[from] -= amount;
  a[to] = (a[to] || 0) + amount;
  store(a);
  return true;
}

const results = [
  transfer('alice', 'bob', 70),
  transfer('carol', 'bob', 50),
  transfer('bob', 'dave', 100),
  transfer('alice', 'carol', 1),
];
console.log(results.join(' '), JSON.stringify(load()));
