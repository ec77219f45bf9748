// The log stays open.
const fs = require("fs");

const log = fs.openSync("log", "a");
for (let number = 0; number < 40; number++) fs.writeSync(log, `line ${number}\n`);
fs.closeSync(log);
console.log("bytes", fs.statSync("log").size);
