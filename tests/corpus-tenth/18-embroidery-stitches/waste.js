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
  const fd = fs.openSync(file, 'w');
  let count = 0;
  let jumps = 0;
  try {
    for (const command of commands) {
      fs.writeSync(fd, command);
      count += 1;
      if (command[0] === 'J') jumps += 1;
    }
  } finally {
    fs.closeSync(fd);
  }
  return { count, jumps };
}

const strokes = fs.readFileSync('strokes.txt', 'utf8').trim().split('\n').map(parse);
const { count, jumps } = save('motif.emb', stitches(strokes));
console.log(`${strokes.length} strokes, ${count} commands`);
console.log(`${jumps} jumps, ${fs.statSync('motif.emb').size} bytes`);
