// Removes the thumbnails of ninety pictures.
const fs = require('fs');

let removed = 0;
for (let number = 0; number < 90; number++) {
  try {
    fs.unlinkSync(`thumbs/${number}.png`);
    removed++;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}
console.log(`${removed} thumbnails`);
