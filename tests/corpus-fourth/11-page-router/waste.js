const fs = require('fs');
const path = require('path');

// Resolves the addresses of a documentation site to its sources and renders them.
const endings = ['.htm', '.html', '.md', '.txt'];

function resolve(address) {
  for (const e of endings) {
    const file = path.join('docs', address + e);
    if (fs.existsSync(file)) return file;
  }
  return null;
}

function render(file) {
  const text = fs.readFileSync(file, 'utf8');
  if (path.extname(file) !== '.md') return text;
  return text.replace(/^# (.*)$/m, '<h1>$1</h1>').replace(/\*(.+?)\*/g, '<em>$1</em>');
}

let html = 0;
const first = [];
for (let i = 0; i < 85; i++) {
  const file = resolve(`chapter-${i}`);
  if (!file) throw new Error(`chapter ${i} is missing`);
  const page = render(file);
  if (i === 4) first.push(page.trim());
  html += page.length;
}
console.log(html, 'bytes', first[0]);
