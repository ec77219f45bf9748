'use strict';
// Packs the digital puzzles of a shop: picture and label, one folder for each box.
const fs = require('fs');
const path = require('path');

const LEVELS = ['easy', 'fair', 'hard'];

function parse(line) {
  const [picture, pieces, level] = line.split(' ');
  return { picture, pieces: Number(pieces), level: LEVELS[Number(level)] };
}

function pack(puzzle) {
  const box = path.join('boxes', puzzle.picture);
  fs.mkdirSync(box);
  const from = path.join('pictures', puzzle.picture + '.ppm');
  const to = path.join(box, 'picture.ppm');
  fs.copyFileSync(from, to);
  const side = Math.round(Math.sqrt(puzzle.pieces));
  const label = [
    `pieces: ${puzzle.pieces}`,
    `level: ${puzzle.level}`,
    `about ${side} by ${Math.ceil(puzzle.pieces / side)}`,
  ];
  fs.writeFileSync(path.join(box, 'label.txt'), label.join('\n') + '\n');
}

fs.mkdirSync('boxes');
const puzzles = fs.readFileSync('puzzles.txt', 'utf8').trim().split('\n').map(parse);
const pieces = {};
for (const puzzle of puzzles) {
  pack(puzzle);
  pieces[puzzle.level] = (pieces[puzzle.level] ?? 0) + puzzle.pieces;
}
for (const level of LEVELS) {
  console.log(`${level}: ${pieces[level]} pieces`);
}
console.log(`${puzzles.length} boxes packed`);
