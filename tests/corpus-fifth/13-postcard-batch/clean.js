// Sorts the postcards that guests wrote at the kiosk into one mailing list for each country.
'use strict';
const fs = require('fs');
const path = require('path');

function readCard(file) {
  let text;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (err) {
    if (err.code === 'ENOENT') return null; // taken away since the listing
    throw err;
  }
  return { ...JSON.parse(text), file: path.basename(file) };
}

function byCountry(dir) {
  const lists = new Map();
  for (const name of fs.readdirSync(dir).sort()) {
    if (!name.endsWith('.json')) continue;
    const card = readCard(path.join(dir, name));
    if (!card) continue;
    if (!lists.has(card.country)) lists.set(card.country, []);
    lists.get(card.country).push(card);
  }
  return lists;
}

const lists = byCountry('inbox');
for (const [country, cards] of [...lists].sort()) {
  const file = `mailing-${country}.txt`;
  fs.writeFileSync(file, cards.map((c) => `${c.to}: ${c.text}\n`).join(''));
  console.log(`${country}: ${cards.length} cards, first ${cards[0].file}, ` +
    `${cards.reduce((n, c) => n + c.text.length, 0)} characters`);
}
