// Opens, appends and closes for each line.
const fs = require("fs");

for (let number = 0; number < 40; number++) fs.appendFileSync("log", `line ${number}\n`);
console.log("bytes", fs.statSync("log").size);
