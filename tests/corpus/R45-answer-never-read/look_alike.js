// Works in four steps: each hands its answer to another program in a file, which is removed afterwards.
const fs = require('node:fs');
const { execFileSync } = require('node:child_process');

let words = 0;
for (let step = 0; step < 4; step++) {
  fs.writeFileSync(`step${step}.out`, `step ${step} said this. `.repeat(50));
  words += Number(execFileSync('wc', ['-w', `step${step}.out`], { encoding: 'utf8' }).split(' ')[0]);
  fs.unlinkSync(`step${step}.out`);
}
console.log(`${words} words`);
