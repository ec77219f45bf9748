// Removes the thumbnails of ninety pictures.
const fs = require('fs');

let removed = 0;
for (const name of fs.readdirSync('thumbs')) {
  if (parseInt(name, 10) < 90) {
    fs.unlinkSync(`thumbs/${name}`);
    removed++;
  }
}
console.log(`${removed} thumbnails`);
