// Score keeper of a croquet club: turns the list of strokes into the score sheet.
'use strict';
const fs = require('fs');

class Sheet {
  constructor(path) {
    this.path = path;
    this.lines = 0;
    this.text = [];
  }

  note(minute, ball, what) {
    const clock = String(minute).padStart(3, ' ');
    this.text.push(`${clock}' ${ball} ${what}\n`);
    this.lines++;
  }

  close() {
    fs.writeFileSync(this.path, this.text.join(''), { flag: 'a' });
  }
}

const sheet = new Sheet('score.txt');
const score = new Map();
const strokes = fs.readFileSync('strokes.txt', 'utf8').trim().split('\n');

strokes.forEach((stroke, minute) => {
  const [ball, hoop, force] = stroke.split(' ');
  if (Number(force) === 0) {
    sheet.note(minute, ball, 'misses');
  } else if (Number(hoop) === 12) {
    score.set(ball, (score.get(ball) ?? 0) + 2);
    sheet.note(minute, ball, 'hits the peg');
  } else {
    score.set(ball, (score.get(ball) ?? 0) + 1);
    sheet.note(minute, ball, `runs hoop ${hoop}`);
  }
});
sheet.close();

console.log(`${sheet.lines} strokes`);
for (const [ball, points] of [...score].sort()) {
  console.log(`${ball}: ${points}`);
}
