'use strict';
// auditlog: replays a day of requests and writes the audit trail.
const fs = require('fs');

class Logger {
  constructor(file) {
    this.file = file;
    this.lines = 0;
    fs.writeFileSync(file, '# audit trail\n');
  }

  log(level, text, fields) {
    const extra = Object.entries(fields).map(([k, v]) => `${k}=${v}`).join(' ');
    fs.appendFileSync(this.file, `${level} ${text} ${extra}\n`);
    this.lines++;
  }

  close() {}
}

function* requests(n) {
  const users = ['ann', 'bob', 'cyd', 'dee', 'eve'];
  for (let i = 0; i < n; i++) {
    yield {
      id: i,
      user: users[i % users.length],
      action: i % 7 === 0 ? 'delete' : 'view',
      doc: (i * 31) % 97,
    };
  }
}

function allowed(r) {
  return r.action !== 'delete' || r.user === 'ann' || r.user === 'eve';
}

function main() {
  const log = new Logger('audit.log');
  let denied = 0;
  for (const r of requests(600)) {
    if (allowed(r)) {
      log.log('INFO', r.action, { id: r.id, user: r.user, doc: r.doc });
    } else {
      denied++;
      log.log('WARN', 'denied', { id: r.id, user: r.user, action: r.action });
    }
  }
  log.close();
  console.log(`${log.lines} lines, ${denied} denied`);
}

main();
