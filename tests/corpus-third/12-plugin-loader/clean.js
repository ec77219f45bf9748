'use strict';
// Discovers plugins: each directory with a plugin.json.
const fs = require('fs');
const path = require('path');

function pluginDirs(root) {
  return fs.readdirSync(root, { withFileTypes: true })
    .filter((e) => e.isDirectory())
    .map((e) => e.name);
}

const plugins = pluginDirs('plugins').map((name) => {
  const meta = JSON.parse(fs.readFileSync(path.join('plugins', name, 'plugin.json'), 'utf8'));
  return { ...meta, dir: name };
});
plugins.sort((a, b) => b.weight - a.weight || a.name.localeCompare(b.name));
console.log(plugins.length, plugins.slice(0, 3).map((p) => p.name).join(' '));
