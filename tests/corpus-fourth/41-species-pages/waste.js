const fs = require('fs');

// Builds the index of a field guide: which photos belong to which species.

function photosOf(species) {
  return fs.readdirSync('photos').filter((n) => n.startsWith(species + '_')).sort();
}

const index = {};
for (let i = 0; i < 50; i++) index['sp' + i] = photosOf('sp' + i);
fs.writeFileSync('index.json', JSON.stringify(index));
console.log(Object.keys(index).length, 'species', index.sp49.join(' '));
