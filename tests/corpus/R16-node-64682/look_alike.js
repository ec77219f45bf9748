// Each of many files may have another beside it; most lookups find what they look for.
const fs = require('node:fs');

let found = 0;
for (let module = 1; module <= 200; module++) {
  found += fs.existsSync(`modules/${module}`);
  if (module % 2) found += fs.existsSync(`modules/${module}.map`);
}
console.log('found', found);
