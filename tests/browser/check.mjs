// Looks at a report in a real browser: node check.mjs REPORT.html [--screenshots DIR] [--compare DIR | --keep DIR] [--only NAME,NAME]
// Prints a line for each check and ends with 1 where one fails.
import { mkdir, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { launch } from "./browser.mjs";
import { CHECKS, run } from "./checks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { screenshots: { type: "string" }, compare: { type: "string" }, keep: { type: "string" }, only: { type: "string" } },
});
if (positionals.length !== 1) {
  console.error("usage: node check.mjs REPORT.html [--screenshots DIR] [--compare DIR | --keep DIR] [--only NAME,NAME]");
  process.exit(2);
}
const file = resolve(positionals[0]);
if (values.screenshots) await mkdir(values.screenshots, { recursive: true });
const only = values.only?.split(",") ?? Object.keys(CHECKS);
const report = { file, html: await readFile(file, "utf8"), heard: new Set(), browser: await launch(), ...values };

let failures = 0;
try {
  for await (const { name, problems, note } of run(report, only)) {
    failures += problems.length;
    for (const problem of problems) console.log(`FAIL ${name}: ${problem}`);
    // A check that found nothing to look at has not passed.
    if (!problems.length) console.log(note === null ? `none ${name}` : `ok ${name}: ${note}`);
  }
} finally {
  await report.browser.close();
}
process.exitCode = failures ? 1 : 0;
