// Removes the thumbnails of a hundred and forty pictures, half of which have one.
const fs = require('fs');

let removed = 0;
for (let number = 0; number < 140; number++) {
  try {
    fs.unlinkSync(`small/${number}.png`);
    removed++;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}
console.log(`${removed} thumbnails`);
