// Writes the part of a fault report that describes the process itself.
'use strict';
const fs = require('fs');

// Files of /proc have no size; only a read that gives 0 tells their end.
function readProc(name) {
  const fd = fs.openSync(`/proc/self/${name}`, 'r');
  const chunks = [];
  try {
    for (;;) {
      const chunk = Buffer.alloc(16384);
      const n = fs.readSync(fd, chunk, 0, chunk.length, null);
      if (n === 0) break;
      chunks.push(chunk.subarray(0, n));
    }
  } finally {
    fs.closeSync(fd);
  }
  return Buffer.concat(chunks).toString('latin1');
}

function field(text, name) {
  const m = text.match(new RegExp(`^${name}:?\\s+(\\S+)`, 'm'));
  return m ? m[1] : null;
}

const facts = [];
const note = (what, ok) => facts.push(`${what}: ${ok ? 'yes' : 'no'}`);

const status = readProc('status');
note('runs as itself', field(status, 'Pid') === String(process.pid));
note('has threads', Number(field(status, 'Threads')) > 1);
const maps = readProc('maps').trimEnd().split('\n');
note('has a stack', maps.some((l) => l.endsWith('[stack]')));
note('maps libc', maps.some((l) => /\/libc[.-]/.test(l)));
note('open files limited', field(readProc('limits'), 'Max open files') !== 'unlimited');
note('has a root mount', readProc('mountinfo').split('\n').some((l) => l.split(' ')[4] === '/'));
note('has environment', readProc('environ').includes('\0'));
for (const task of fs.readdirSync('/proc/self/task').slice(0, 4)) {
  note('a task is named', readProc(`task/${task}/comm`).length > 1);
}
console.log(facts.join('\n'));
