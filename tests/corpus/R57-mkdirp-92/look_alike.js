// Says whether a report is new, and writes it anew in any case.
const fs = require('node:fs');

const isNew = !fs.existsSync('report');
fs.writeFileSync('report', 'all is well\n');
console.log(isNew ? 'a new report' : 'the report again');
