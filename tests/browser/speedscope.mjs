// speedscope.mjs PROFILE OUT: has speedscope's own page import PROFILE and save what it made of it to OUT.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const LIMIT_MS = 60_000;
const [profile, out] = process.argv.slice(2).map((word) => resolve(word));
const program = dirname(createRequire(import.meta.url).resolve("speedscope/package.json"));
// As speedscope's own command hands a file to the page.
const words = [basename(profile), readFileSync(profile).toString("base64")].map((word) => JSON.stringify(word));
writeFileSync(`${out}.js`, `speedscope.loadFileFromBase64(${words.join(", ")})`);

const browser = await launch();
try {
  const page = await browser.newPage({ acceptDownloads: true });
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("dialog", (dialog) => {
    faults.push(dialog.message());
    dialog.dismiss();
  });
  page.on("console", (message) => {
    // Its warnings are the graphics driver's.
    if (message.type() === "error") faults.push(message.text());
  });
  const url = pathToFileURL(`${program}/dist/release/index.html`);
  await page.goto(`${url}#localProfilePath=${out}.js`);
  // Only a profile that was imported can be exported again.
  const saved = page.waitForEvent("download", { timeout: LIMIT_MS });
  await page.getByText("Export").click({ timeout: LIMIT_MS });
  await (await saved).saveAs(out);
  if (faults.length > 0) throw new Error(faults.join("\n"));
} finally {
  await browser.close();
}
