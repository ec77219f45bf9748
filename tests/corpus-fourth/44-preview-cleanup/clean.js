const fs = require('fs');
const path = require('path');

// Removes the previews of the pictures that have been edited.
function drop(id) {
  const preview = path.join('previews', id + '.webp');
  try {
    fs.unlinkSync(preview);
    return true;
  } catch (e) {
    if (e.code === 'ENOENT') return false;
    throw e;
  }
}

let dropped = 0;
for (let id = 0; id < 90; id++) if (drop(id)) dropped++;
console.log(dropped, 'previews dropped,', fs.readdirSync('previews').length, 'left');
