// Adds and removes feed subscriptions.
const fs = require('fs');
const path = require('path');

class Subscriptions {
  constructor(file) {
    this.file = path.resolve(file);
    this.list = JSON.parse(fs.readFileSync(this.file, 'utf8'));
  }

  save() {
    const tmp = this.file + '.new';
    fs.writeFileSync(tmp, JSON.stringify(this.list));
    fs.renameSync(tmp, this.file);
  }

  add(url) {
    if (!this.list.includes(url)) this.list.push(url);
    this.save();
  }

  drop(url) {
    this.list = this.list.filter((u) => u !== url);
    this.save();
  }
}

const s = new Subscriptions('home/subs.json');
s.add('https://c.example/atom.xml');
s.drop('https://a.example/feed');
console.log(fs.readFileSync('home/subs.json', 'utf8'));
