'use strict';
// Writes the thank-you letters for the gifts of a year into one print file.
const fs = require('fs');

const defaults = {
  salutation: 'Dear',
  closing: 'With kind regards',
  width: 60,
};

function readStyle() {
  try {
    return { ...defaults, ...JSON.parse(fs.readFileSync('house-style.json', 'utf8')) };
  } catch (err) {
    if (err.code !== 'ENOENT') throw err;
    return defaults;
  }
}

let style;

function houseStyle() {
  style ??= readStyle();
  return style;
}

function wrap(text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (lines.at(-1).length + word.length + 1 > width) lines.push('');
    lines[lines.length - 1] += (lines.at(-1) ? ' ' : '') + word;
  }
  return lines.join('\n');
}

const purposes = ['the new roof', 'the library', 'the garden'];

function letter(name, amount, purpose) {
  const s = houseStyle();
  const text = `we thank you warmly for your gift of ${amount} crowns, which goes ` +
    `to ${purposes[purpose]} and helps us more than you may think.`;
  return `${s.salutation} ${name},\n\n${wrap(text, s.width)}\n\n${s.closing}\n\f`;
}

const gifts = fs.readFileSync('gifts.csv', 'utf8').trim().split('\n').map((l) => l.split(';'));
const letters = gifts.map(([name, amount, purpose]) => letter(name, Number(amount), Number(purpose)));
fs.writeFileSync('letters.txt', letters.join(''));

const sum = gifts.reduce((a, g) => a + Number(g[1]), 0);
console.log(`${letters.length} letters for ${sum} crowns`);
console.log(`${letters.join('').length} characters to print`);
