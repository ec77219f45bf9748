const fs = require('fs');
const { spawn } = require('child_process');

// A game by correspondence: the other player is a program that leaves its move in a file.
const other = spawn('sh', ['-c', 'sleep 0.25; echo e7e5 > move.new; mv move.new move.txt']);

function play() {
  console.log('the other moves', fs.readFileSync('move.txt', 'utf8').trim());
}

const timer = setInterval(() => {
  if (!fs.existsSync('move.txt')) return;
  clearInterval(timer);
  play();
}, 4);
