const fs = require('fs');
const path = require('path');

// Removes the previews of the pictures that have been edited.
function drop(id) {
  const preview = path.join('previews', id + '.webp');
  if (!fs.existsSync(preview)) return false;
  fs.unlinkSync(preview);
  return true;
}

let dropped = 0;
for (let id = 0; id < 90; id++) if (drop(id)) dropped++;
console.log(dropped, 'previews dropped,', fs.readdirSync('previews').length, 'left');
