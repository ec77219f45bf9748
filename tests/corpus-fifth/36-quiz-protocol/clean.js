'use strict';
// Scores a pub quiz and keeps the protocol of every answer, one JSON line each.
const fs = require('fs');

const RIGHT = [2, 0, 1, 3, 1, 2, 0, 0, 3, 1, 2, 3, 1, 0, 2, 2, 1, 3, 0, 1];

class Protocol {
  constructor(file) {
    this.fd = fs.openSync(file, 'w');
    this.lines = [];
    this.count = 0;
  }

  add(entry) {
    this.lines.push(JSON.stringify(entry) + '\n');
    this.count++;
  }

  end() {
    fs.writeFileSync(this.fd, this.lines.join(''));
    fs.closeSync(this.fd);
  }
}

function judge(line, protocol, score) {
  const [team, question, answer] = line.split(' ');
  const q = Number(question.slice(1));
  const right = RIGHT[q] === Number(answer);
  score.set(team, (score.get(team) || 0) + (right ? 1 : 0));
  protocol.add({ team, q, answer: Number(answer), right });
}

const protocol = new Protocol('protocol.jsonl');
const score = new Map();
for (const line of fs.readFileSync('answers.txt', 'utf8').trim().split('\n')) {
  judge(line, protocol, score);
}
protocol.end();

for (const [team, points] of [...score].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))) {
  console.log(`${team}: ${points}`);
}
console.log(`answers kept: ${protocol.count}`);
