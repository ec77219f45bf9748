'use strict';
// Says which mills on the pond are marked active though their papers are gone.
const fs = require('fs');
const path = require('path');

const FOLDER = 'active';

function leadsSomewhere(link) {
  return fs.existsSync(link);
}

function survey() {
  const result = { alive: [], dead: [], papers: [] };
  for (const entry of fs.readdirSync(FOLDER, { withFileTypes: true })) {
    if (!entry.isSymbolicLink()) {
      result.papers.push(entry.name);
    } else if (leadsSomewhere(path.join(FOLDER, entry.name))) {
      result.alive.push(entry.name);
    } else {
      result.dead.push(entry.name);
    }
  }
  for (const names of Object.values(result)) names.sort();
  return result;
}

function report(found) {
  const lines = ['Dead links on the pond:'];
  for (const name of found.dead) {
    lines.push(`  ${name}`);
  }
  lines.push(`${found.alive.length} links are in order`);
  return lines.join('\n') + '\n';
}

const found = survey();
fs.writeFileSync('report.txt', report(found));
console.log(`${found.alive.length} alive, ${found.dead.length} dead`);
console.log(`first dead: ${found.dead[0]}, papers: ${found.papers.join(' ')}`);
