'use strict';
// The sexton's desk: sells plots and takes them back, and keeps the list.
const fs = require('fs');

const LIST = 'plots.json';

function load() {
  return JSON.parse(fs.readFileSync(LIST, 'utf8'));
}

function save(plots) {
  const sorted = Object.fromEntries(Object.entries(plots).sort());
  const fresh = LIST + '.new';
  const fd = fs.openSync(fresh, 'w', 0o644);
  try {
    fs.writeFileSync(fd, JSON.stringify(sorted, null, 1) + '\n');
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
  fs.renameSync(fresh, LIST);
  const dir = fs.openSync('.', 'r');
  fs.fsyncSync(dir);
  fs.closeSync(dir);
}

const actions = {
  sell(plots, plot, name) {
    if (plots[plot]) return `${plot} belongs to ${plots[plot]}`;
    plots[plot] = name;
    return null;
  },
  return(plots, plot) {
    if (!plots[plot]) return `${plot} was never sold`;
    delete plots[plot];
    return null;
  },
};

const plots = load();
let done = 0;
for (const line of fs.readFileSync('desk.txt', 'utf8').trim().split('\n')) {
  const [action, plot, name] = line.split(' ');
  const refusal = actions[action](plots, plot, name);
  if (refusal) {
    console.log('refused: ' + refusal);
    continue;
  }
  save(plots);
  done += 1;
  console.log(`${action} ${plot}: entered`);
}
console.log(`${done} entries, ${Object.keys(plots).length} plots sold`);
