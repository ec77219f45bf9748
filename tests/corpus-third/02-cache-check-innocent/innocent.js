// Serves a title from a config that is reloaded when it changes.
const fs = require('fs');

class Reloading {
  constructor(file) {
    this.file = file;
    this.stamp = '';
    this.loads = 0;
  }

  get() {
    const st = fs.statSync(this.file);
    const stamp = `${st.mtimeMs} ${st.size} ${st.ino}`;
    if (stamp !== this.stamp) {
      this.value = JSON.parse(fs.readFileSync(this.file, 'utf8'));
      this.stamp = stamp;
      this.loads++;
    }
    return this.value;
  }
}

// what the administrator does meanwhile
function edit(n) {
  const fd = fs.openSync('site.json.new', 'w');
  fs.writeSync(fd, JSON.stringify({ title: 'v' + n, pad: '.'.repeat(n) }));
  fs.fsyncSync(fd);
  fs.closeSync(fd);
  fs.renameSync('site.json.new', 'site.json');
  const dir = fs.openSync('.', 'r');
  fs.fsyncSync(dir);
  fs.closeSync(dir);
}

const config = new Reloading('site.json');
const seen = [];
for (let request = 0; request < 24; request++) {
  if (request % 2 === 0) edit(request);
  const { title } = config.get();
  if (seen[seen.length - 1] !== title) seen.push(title);
}
console.log(config.loads, 'loads,', seen.join(' '));
