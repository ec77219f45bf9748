'use strict';
// Runs the jobs of a shift; the jobs write a common log themselves.
const fs = require('fs');
const { spawnSync } = require('child_process');

const LOG = 'shift.log';
const LIMIT = 1200;

let turned = 0;

function size(path) {
  const facts = fs.statSync(path, { throwIfNoEntry: false });
  return facts ? facts.size : 0;
}

function turnOver() {
  turned += 1;
  fs.renameSync(LOG, `${LOG}.${turned}`);
}

function run(job) {
  const result = spawnSync('sh', ['job.sh', job.saw, String(job.boards), job.wood], { stdio: 'ignore' });
  if (result.status !== 0) throw new Error(`${job.saw} stopped with ${result.status}`);
}

function readJobs(path) {
  return fs.readFileSync(path, 'utf8').trim().split('\n').map((line) => {
    const [saw, boards, wood] = line.split(' ');
    return { saw, boards: Number(boards), wood };
  });
}

const jobs = readJobs('jobs.txt');
const boards = new Map();
for (const job of jobs) {
  if (size(LOG) > LIMIT) turnOver();
  run(job);
  boards.set(job.saw, (boards.get(job.saw) || 0) + job.boards);
}
console.log(`${jobs.length} jobs, log turned over ${turned} times`);
for (const [saw, count] of [...boards].sort()) console.log(`${saw}: ${count} boards`);
