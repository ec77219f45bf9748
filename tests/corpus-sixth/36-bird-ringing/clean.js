'use strict';
// Brings the catches of the bird ringing nets into one register.
const { readFileSync, readdirSync, writeFileSync, statSync } = require('node:fs');

class Register {
  constructor(file) {
    this.file = file;
    this.count = 0;
    this.lines = ['ring;species;wing;net\n'];
  }

  add(bird) {
    this.lines.push(`${bird.ring};${bird.species};${bird.wing};${bird.net}\n`);
    this.count++;
  }

  save() {
    writeFileSync(this.file, this.lines.join(''));
  }
}

function* catches(dir) {
  for (const name of readdirSync(dir).sort()) {
    const net = name.replace('.txt', '');
    for (const line of readFileSync(`${dir}/${name}`, 'utf8').trimEnd().split('\n')) {
      const [ring, species, wing] = line.split(' ');
      yield { ring, species, wing: Number(wing), net };
    }
  }
}

const register = new Register('register.csv');
const bySpecies = new Map();
for (const bird of catches('nets')) {
  register.add(bird);
  const known = bySpecies.get(bird.species) ?? { n: 0, wing: 0 };
  known.n++;
  known.wing += bird.wing;
  bySpecies.set(bird.species, known);
}

register.save();
console.log(`${register.count} birds, ${bySpecies.size} species, ${statSync('register.csv').size} bytes`);
for (const [species, { n, wing }] of [...bySpecies].sort().slice(0, 4)) {
  console.log(`${species} ${n} birds, mean wing ${(wing / n).toFixed(1)} mm`);
}
