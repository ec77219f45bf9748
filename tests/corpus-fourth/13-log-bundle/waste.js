const { readdirSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { gzipSync } = require('node:zlib');

// Bundles the logs of all services for a support case.
const bundle = [];
for (const name of readdirSync('logs').sort()) {
  const file = join('logs', name);
  if (!existsSync(file)) continue;
  bundle.push({ name, text: readFileSync(file, 'utf8') });
}
writeFileSync('support.json.gz', gzipSync(JSON.stringify(bundle)));
console.log(`${bundle.length} logs, ${bundle.reduce((n, l) => n + l.text.length, 0)} characters`);
