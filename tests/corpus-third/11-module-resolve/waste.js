// Concatenates a program's modules (a toy bundler).
const fs = require('fs');
const path = require('path');

const ENDINGS = ['.mjs', '.cjs', '.jsx', '.tsx', '.ts'];

function resolve(from, spec) {
  const base = path.resolve(path.dirname(from), spec);
  for (const e of ENDINGS) {
    if (fs.existsSync(base + e)) return base + e;
  }
  throw new Error(`cannot resolve ${spec} from ${from}`);
}

const entry = path.resolve('src/index.ts');
const out = [];
for (const line of fs.readFileSync(entry, 'utf8').split('\n')) {
  const m = line.match(/from '([^']+)'/);
  if (m) out.push(fs.readFileSync(resolve(entry, m[1]), 'utf8'));
}
console.log(out.length, out.join('').length);
