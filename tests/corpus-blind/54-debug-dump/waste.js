// Handles a batch of requests; failed ones leave a dump for the developers.
const fs = require('fs');
const path = require('path');

function handle(request) {
  if (request.items.length === 0) throw new Error('empty order');
  return request.items.reduce((sum, item) => sum + item.cents, 0);
}

function process(request) {
  const dump = path.join('dumps', `req-${request.id}.json`);
  fs.writeFileSync(dump, JSON.stringify(request, null, 2));
  try {
    const result = handle(request);
    fs.unlinkSync(dump);
    return result;
  } catch (error) {
    return null;
  }
}

let total = 0;
let failed = 0;
for (let id = 0; id < 100; id++) {
  const count = id % 50 === 7 ? 0 : 30;
  const items = Array.from({ length: count }, (_, i) => ({ article: `A-${i}`, cents: i * 5 + id }));
  const result = process({ id, items });
  if (result === null) failed++;
  else total += result;
}
console.log(`total ${total}, failed ${failed}, dumps ${fs.readdirSync('dumps').length}`);
