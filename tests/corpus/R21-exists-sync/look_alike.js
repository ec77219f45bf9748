// Of each pair one goes: whether the other is there yet the listing does not tell any more.
const fs = require('fs');
let there = 0;
for (const name of fs.readdirSync('names')) {
  if (Number(name) % 2 === 1) continue;
  fs.unlinkSync('names/' + (Number(name) + 1));
  if (fs.existsSync('names/' + name)) there++;
}
console.log(there, 'left');
