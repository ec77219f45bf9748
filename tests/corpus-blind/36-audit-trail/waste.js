// Plays a session of a bank teller and keeps an audit trail.
const fs = require('fs');

const balances = new Map();

function audit(action, account, cents) {
  const record = { action, account, cents };
  fs.appendFileSync('audit.jsonl', JSON.stringify(record) + '\n');
}

function deposit(account, cents) {
  balances.set(account, (balances.get(account) || 0) + cents);
  audit('deposit', account, cents);
}

function withdraw(account, cents) {
  const balance = balances.get(account) || 0;
  if (balance < cents) {
    audit('refused', account, cents);
    return false;
  }
  balances.set(account, balance - cents);
  audit('withdraw', account, cents);
  return true;
}

let refused = 0;
for (let i = 0; i < 100; i++) {
  deposit(`acc${i % 10}`, 100 + i);
  if (!withdraw(`acc${(i * 3) % 10}`, 90 + 2 * i)) refused++;
}
const total = [...balances.values()].reduce((a, b) => a + b, 0);
console.log(`refused ${refused}, total ${total}, trail ${fs.statSync('audit.jsonl').size} bytes`);
