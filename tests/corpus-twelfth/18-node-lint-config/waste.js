'use strict';
// A small linter: every source file is checked with the nearest settings above it.
const fs = require('fs');
const path = require('path');

const ROOT = path.resolve(__dirname, 'project');
const SETTINGS_NAMES = ['lint.config.js', '.lintrc.js', '.lintrc.json', '.lintrc.yaml', '.lintrc'];

function listSources(dir, found = []) {
  const entries = fs.readdirSync(dir, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const e of entries) {
    const full = path.join(dir, e.name);
    if (e.isDirectory()) listSources(full, found);
    else if (e.name.endsWith('.js')) found.push(full);
  }
  return found;
}

function findSettings(dir) {
  for (const name of SETTINGS_NAMES) {
    const candidate = path.join(dir, name);
    if (fs.existsSync(candidate)) return candidate;
  }
  if (dir === ROOT) return null;
  return findSettings(path.dirname(dir));
}

const parsed = new Map();
function loadSettings(file) {
  if (!parsed.has(file)) parsed.set(file, JSON.parse(fs.readFileSync(file, 'utf8')));
  return parsed.get(file);
}

function check(text, settings) {
  const problems = [];
  text.split('\n').forEach((line, i) => {
    if (!line) return;
    if (settings.noVar && line.startsWith('var ')) problems.push(`${i + 1}: use let or const`);
    if (settings.semi && !line.endsWith(';')) problems.push(`${i + 1}: missing semicolon`);
  });
  return problems;
}

function main() {
  let total = 0;
  const files = listSources(ROOT);
  for (const file of files) {
    const settingsFile = findSettings(path.dirname(file));
    const settings = settingsFile ? loadSettings(settingsFile) : {};
    const problems = check(fs.readFileSync(file, 'utf8'), settings);
    total += problems.length;
    for (const p of problems) console.log(`${path.relative(ROOT, file)}:${p}`);
  }
  console.log(`${files.length} files, ${total} problems`);
}

main();
