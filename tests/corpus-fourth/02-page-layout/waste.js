// Renders every article through the chain of its layouts.
const fs = require('fs');
const path = require('path');

const chain = ['article', 'footer', 'base'];
const loaded = new Map();

function layoutFile(name) {
  const file = path.join('templates', `${name}.tpl`);
  if (!fs.existsSync(file)) return path.join('templates', 'base.tpl');
  return file;
}

function load(file) {
  if (!loaded.has(file)) loaded.set(file, fs.readFileSync(file, 'utf8').trim());
  return loaded.get(file);
}

function render(body) {
  return chain.reduce((html, name) => load(layoutFile(name)).replace('{{body}}', html), body);
}

const articles = fs.readFileSync('content/articles.txt', 'utf8').trim().split('\n');
let bytes = 0;
for (const a of articles) bytes += render(a).length;
console.log(`${articles.length} pages, ${bytes} bytes, last: ${render(articles[articles.length - 1])}`);
