// The page in a browser that runs no script: all of it can be read, unfolded and saved.
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { withPage } from "../browser.mjs";

export const readable = (report) =>
  withPage(report, { script: false }, async (page) => {
    const problems = [];
    const written = (report.html.match(/<tr[ >]/g) ?? []).length;
    const { there, tools, empty } = await page.evaluate(() => {
      const rows = [...document.querySelectorAll("tr")];
      const folded = (element) => element.closest("details:not([open])");
      return {
        there: rows.length,
        tools: [...document.querySelectorAll("button, input, .tools")].filter((element) => element.getClientRects().length).length,
        empty: rows.filter((row) => !folded(row) && !row.getClientRects().length).length,
      };
    });
    if (there !== written) problems.push(`${there} rows in the page, ${written} in the file`);
    if (tools) problems.push(`${tools} buttons that do nothing`);
    if (empty) problems.push(`${empty} rows are not shown`);
    const fold = page.locator("main details.fold:not([open])").first();
    if (await fold.count()) {
      const handle = await fold.elementHandle();
      await (await handle.$("summary")).click();
      if (!(await handle.evaluate((element) => element.open))) problems.push("a fold does not open");
    }
    return { problems, note: `${there} rows` };
  });

export const downloads = (report) =>
  withPage(report, { script: false }, async (page) => {
    const problems = [];
    const links = page.locator("a[download]");
    const count = await links.count();
    const names = [];
    for (let index = 0; index < count; index += 1) {
      const link = links.nth(index);
      const [name, target] = [await link.getAttribute("download"), await link.getAttribute("href")];
      const waiting = page.waitForEvent("download", { timeout: 10_000 });
      await link.click();
      const bytes = await readFile(await (await waiting).path());
      const expected = Buffer.from(target.slice(target.indexOf(",") + 1), "base64");
      if (!bytes.length || !bytes.equals(expected)) problems.push(`${name}: ${bytes.length} bytes saved, ${expected.length} in the page`);
      try {
        const text = name.endsWith(".xz") ? execFileSync("xz", ["--decompress", "--stdout"], { input: bytes, maxBuffer: 1 << 30 }) : bytes;
        if (/\.json\b/.test(name)) JSON.parse(text.toString("utf8"));
      } catch (error) {
        problems.push(`${name}: ${error.message}`);
      }
      names.push(`${name} (${bytes.length} bytes)`);
    }
    return { problems, note: count ? names.join(", ") : null };
  });
