// Writes the gallery page for the thumbnails that are there.
const fs = require('fs');
const path = require('path');

function thumbnails(dir) {
  return fs
    .readdirSync(dir)
    .filter((name) => name.endsWith('.jpg'))
    .map((name) => path.join(dir, name))
    .filter((file) => fs.existsSync(file))
    .sort();
}

function page(files) {
  const cells = files.map((file, i) => `<td><img src="${file}" alt="${i}"></td>`);
  const rows = [];
  for (let i = 0; i < cells.length; i += 6) rows.push(`<tr>${cells.slice(i, i + 6).join('')}</tr>`);
  return `<table>\n${rows.join('\n')}\n</table>\n`;
}

function main() {
  const files = thumbnails('thumbs');
  const html = page(files);
  fs.writeFileSync('gallery.html', html);
  console.log(`${files.length} thumbnails, page of ${html.length} characters`);
}

main();
