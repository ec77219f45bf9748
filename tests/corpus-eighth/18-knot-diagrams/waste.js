'use strict';
// Draws knots (torus curves) as paths of an SVG file.
const fs = require('fs');

function points(p, q, steps) {
  const list = [];
  for (let i = 0; i < steps; i++) {
    const t = (2 * Math.PI * i) / steps;
    const r = 2 + Math.cos(q * t);
    list.push([(r * Math.cos(p * t)).toFixed(2), (r * Math.sin(p * t)).toFixed(2)]);
  }
  return list;
}

function draw(fd, name, list) {
  fs.writeSync(fd, `<path id="${name}" d="M`);
  for (const [x, y] of list) {
    fs.writeSync(fd, `${x} ${y} L`);
  }
  fs.writeSync(fd, `${list[0].join(' ')} Z"/>\n`);
}

const knots = fs.readFileSync('knots.txt', 'utf8').trim().split('\n').map((line) => {
  const [p, q, name] = line.split(' ');
  return { p: Number(p), q: Number(q), name };
});

const svg = fs.openSync('knots.svg', 'w');
fs.writeSync(svg, '<svg viewBox="-3 -3 6 6">\n');
for (const { p, q, name } of knots) {
  draw(svg, name, points(p, q, 20));
}
fs.writeSync(svg, '</svg>\n');
fs.closeSync(svg);

const links = knots.filter(({ p, q }) => p % 2 === 0 && q % 2 === 0).length;
console.log(`${knots.length} drawings, ${links} of them links`);
