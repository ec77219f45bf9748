// Waits for the next build and says how large it has become.
const fs = require('fs');
const { spawn } = require('child_process');

const FILE = 'out/bundle.js';
spawn('sh', ['-c', 'sleep 0.3; echo "// build 2: $((6*7))" > out/tmp.js; mv out/tmp.js out/bundle.js']);

function changed() {
  return new Promise((resolve) => {
    const watcher = fs.watch('out', (event, name) => {
      if (name === 'bundle.js') {
        watcher.close();
        resolve();
      }
    });
  });
}

changed().then(() => {
  const text = fs.readFileSync(FILE, 'utf8');
  console.log(text.trim(), text.length);
});
