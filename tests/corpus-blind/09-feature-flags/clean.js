// Prices a batch of orders. Operators flip behaviour by touching flags/NAME.on.
const fs = require('fs');

const known = new Map();

function flag(name) {
  if (!known.has(name)) known.set(name, fs.existsSync(`flags/${name}.on`));
  return known.get(name);
}

function price(order) {
  let cents = order.cents;
  if (flag('free-shipping')) cents -= 499;
  if (flag('black-friday')) cents = Math.round(cents * 0.8);
  if (flag('new-vat') && order.country === 'DE') cents = Math.round(cents * 1.01);
  return cents;
}

const orders = fs
  .readFileSync('orders.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

let total = 0;
for (const order of orders) total += price(order);
console.log(`${orders.length} orders, ${total} cents`);
