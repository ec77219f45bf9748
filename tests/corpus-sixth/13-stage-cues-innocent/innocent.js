'use strict';
// Plays the cues of a stage show in order; a cue can strike later ones off the list.
const fs = require('fs');
const path = require('path');
const { execFileSync } = require('child_process');

const CUES = 'cues';

function play(file) {
  return execFileSync('sh', ['play.sh', file], { encoding: 'utf8' }).trim();
}

const show = fs.readdirSync(CUES).filter((n) => n.endsWith('.cue')).sort();
const struck = [];
const played = [];
let lights = 0;

for (const cue of show) {
  const file = path.join(CUES, cue);
  // an earlier cue may have removed it since the list was made
  if (!fs.existsSync(file)) {
    struck.push(cue);
    continue;
  }
  const said = play(file);
  if (said.startsWith('light')) lights++;
  played.push(cue);
}

console.log(`${show.length} cues, ${played.length} played, ${lights} lights`);
console.log(`struck: ${struck.join(' ')}`);
