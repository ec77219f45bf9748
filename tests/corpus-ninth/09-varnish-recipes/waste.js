'use strict';
// Works out how much of each ingredient the varnish room needs this week.
const fs = require('fs');

const standard = JSON.parse(fs.readFileSync('recipes.json', 'utf8'));

function houseRules() {
  try {
    return JSON.parse(fs.readFileSync('local/overrides.json', 'utf8'));
  } catch (err) {
    if (err.code !== 'ENOENT') throw err;
    return {};
  }
}

function recipeFor(kind) {
  return { ...standard[kind], ...(houseRules()[kind] || {}) };
}

function readJobs(path) {
  return fs.readFileSync(path, 'utf8').trim().split('\n').map((line) => {
    const [kind, coats, owner] = line.split(' ');
    return { kind, coats: Number(coats), owner };
  });
}

function addUp(jobs) {
  const need = new Map();
  for (const job of jobs) {
    const recipe = recipeFor(job.kind);
    for (const [what, spoons] of Object.entries(recipe)) {
      need.set(what, (need.get(what) || 0) + spoons * job.coats);
    }
  }
  return need;
}

const jobs = readJobs('benches.txt');
const need = addUp(jobs);
const lines = [...need].sort().map(([what, spoons]) => `${what}: ${spoons} spoons`);
fs.writeFileSync('shopping.txt', lines.join('\n') + '\n');
console.log(`${jobs.length} instruments`);
console.log(lines.join(', '));
