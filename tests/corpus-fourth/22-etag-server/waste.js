const fs = require('fs');
const path = require('path');
const zlib = require('zlib');
const crypto = require('crypto');

// Prepares the answers of a static server: headers with ETag, body compressed.
function etag(file) {
  return crypto.createHash('sha1').update(fs.readFileSync(file)).digest('base64url').slice(0, 12);
}

function body(file) {
  return zlib.gzipSync(fs.readFileSync(file));
}

const answers = new Map();
for (const name of fs.readdirSync('public').sort()) {
  const file = path.join('public', name);
  answers.set('/' + name, { etag: etag(file), body: body(file) });
}
const sizes = [...answers.values()].map((a) => a.body.length);
console.log(answers.size, 'answers,', answers.get('/module7.js').etag, Math.max(...sizes) > 0);
