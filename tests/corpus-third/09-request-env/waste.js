// A little request handler with feature flags; replayed over a recorded trace.
const fs = require('fs');
const path = require('path');

const base = JSON.parse(fs.readFileSync('flags.json', 'utf8'));

function overlay(file) {
  const p = path.resolve(file);
  return fs.existsSync(p) ? JSON.parse(fs.readFileSync(p, 'utf8')) : {};
}

function flags() {
  return { ...base, ...overlay('flags.override.json'), ...overlay('.env.local') };
}

function handle(req) {
  const f = flags();
  if (req.items > f.limit) return 413;
  return f.beta && req.url === '/beta' ? 302 : 200;
}

const tally = {};
for (let i = 0; i < 100; i++) {
  const status = handle({ url: i % 3 ? '/' : '/beta', items: i % 25 });
  tally[status] = (tally[status] || 0) + 1;
}
console.log(JSON.stringify(tally));
