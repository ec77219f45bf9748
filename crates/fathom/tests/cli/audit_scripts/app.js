'use strict';
const fs = require('fs');
const { Worker, isMainThread } = require('worker_threads');

class Store {
  static look(path) {
    for (let round = 0; round < 12; round++) fs.statSync(path); // METHOD
  }
}

function hot(path) {
  for (let round = 0; round < 3000; round++) {
    fs.existsSync(path); // HOT
  }
}

async function later() {
  await null;
  for (const _ of Array(12)) fs.statSync('later'); // LATER
}

function overLines() {
  Array(12).fill('lines').forEach((path) =>
    fs.statSync( // LINES
      path));
}

function evaluated() {
  for (let round = 0; round < 12; round++)
    eval("\n\nfs.statSync('evaluated')"); // EVALUATED
}

if (isMainThread) {
  Store.look('method');
  hot('hot');
  overLines();
  evaluated();
  require('./lib/größe').inModule('module');
  require('pack').inPackage('package');
  later().then(() => import('./lib/esm.mjs')).then(async () => {
    for (let round = 0; round < 12; round++) await fs.promises.stat('pool');
    new Worker(__filename);
  });
} else {
  for (let round = 0; round < 12; round++) fs.statSync('worker'); // WORKER
}
