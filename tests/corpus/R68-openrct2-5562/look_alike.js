// Each line goes into a log that was rotated before.
const fs = require("fs");

for (let number = 0; number < 40; number++) {
	fs.appendFileSync("log", `line ${number}\n`);
	fs.renameSync("log", `log.${number}`);
}
console.log("logs", fs.readdirSync(".").length);
