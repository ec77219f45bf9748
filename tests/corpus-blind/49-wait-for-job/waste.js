// Starts a job in the background and waits for its result file.
const fs = require('fs');
const { spawn } = require('child_process');

const RESULT = 'results/done.txt';

function finish() {
  const text = fs.readFileSync(RESULT, 'utf8').trim();
  console.log(`job says: ${text}`);
}

function waitForResult() {
  const timer = setInterval(() => {
    const st = fs.statSync(RESULT, { throwIfNoEntry: false });
    if (st && st.size > 0) {
      clearInterval(timer);
      finish();
    }
  }, 5);
}

function main() {
  waitForResult();
  const script = 'sleep 0.7; echo "42 rows" > results/part; mv results/part results/done.txt';
  spawn('sh', ['-c', script], { stdio: 'ignore' });
}

main();
