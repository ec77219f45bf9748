// Hashes and compresses build output for the upload step.
const fs = require('fs');
const path = require('path');
const zlib = require('zlib');
const crypto = require('crypto');

const hash = (file) => crypto.createHash('md5').update(fs.readFileSync(file)).digest('hex');
const packed = (file) => zlib.gzipSync(fs.readFileSync(file)).length;

const manifest = {};
for (const name of fs.readdirSync('dist').sort()) {
  const file = path.resolve('dist', name);
  manifest[name] = { etag: hash(file), size: packed(file) };
}
fs.writeFileSync('manifest.json', JSON.stringify(manifest, null, 1));
const sizes = Object.values(manifest).map((m) => m.size);
console.log(sizes.length, Math.max(...sizes) < 100, manifest['chunk3.js'].etag);
