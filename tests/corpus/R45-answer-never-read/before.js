// Works in four steps, and writes what each of them said to a file, just in case.
const fs = require('node:fs');

let words = 0;
for (let step = 0; step < 4; step++) {
  const said = `step ${step} said this. `.repeat(50);
  fs.writeFileSync(`step${step}.out`, said);
  words += said.split(' ').length - 1;
  fs.unlinkSync(`step${step}.out`);
}
console.log(`${words} words`);
