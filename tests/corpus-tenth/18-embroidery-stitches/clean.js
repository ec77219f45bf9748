'use strict';
// Turns strokes into single stitches for an embroidery machine.
const fs = require('fs');

const STEPS = 9;

function parse(line) {
  const [from, to, thread] = line.split(' ');
  return { from: from.split(',').map(Number), to: to.split(',').map(Number), thread };
}

function* stitches(strokes) {
  let thread = null;
  for (const s of strokes) {
    if (s.thread !== thread) {
      thread = s.thread;
      yield `T ${thread}\n`;
    }
    for (let i = 0; i <= STEPS; i++) {
      const x = Math.round(s.from[0] + ((s.to[0] - s.from[0]) * i) / STEPS);
      const y = Math.round(s.from[1] + ((s.to[1] - s.from[1]) * i) / STEPS);
      yield `${i === 0 ? 'J' : 'S'} ${x} ${y}\n`;
    }
  }
}

function save(file, commands) {
  const lines = [];
  let jumps = 0;
  for (const command of commands) {
    lines.push(command);
    if (command[0] === 'J') jumps += 1;
  }
  const fd = fs.openSync(file, 'w');
  try {
    fs.writeSync(fd, lines.join(''));
  } finally {
    fs.closeSync(fd);
  }
  return { count: lines.length, jumps };
}

const strokes = fs.readFileSync('strokes.txt', 'utf8').trim().split('\n').map(parse);
const { count, jumps } = save('motif.emb', stitches(strokes));
console.log(`${strokes.length} strokes, ${count} commands`);
console.log(`${jumps} jumps, ${fs.statSync('motif.emb').size} bytes`);
