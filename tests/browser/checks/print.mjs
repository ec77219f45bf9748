// The page on paper: every cell of every table is in the PDF, and nothing is wider than the page.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withPage } from "../browser.mjs";

/** A4 less the margins of report.css (14 mm each), in CSS pixels. */
const PAGE_WIDTH = Math.floor(((210 - 2 * 14) / 25.4) * 96);
/** Blanks, and what a printer may leave out or write otherwise. */
const squash = (text) => text.normalize("NFKC").replace(/[\s\u00ad\u200b\u2010-\u2015\u2212-]+/gu, "");

export const pdf = async (report) => {
  const folder = await mkdtemp(join(tmpdir(), "fathom-browser-"));
  try {
    const problems = [];
    let note = "";
    for (const script of [true, false]) {
      const path = join(report.screenshots ?? folder, script ? "report.pdf" : "report-no-script.pdf");
      const cells = await withPage(report, { script }, async (page) => {
        const cells = await page.evaluate(() => [...document.querySelectorAll("table :is(th, td)")].map((cell) => cell.innerText || cell.textContent));
        await page.pdf({ path, format: "A4", preferCSSPageSize: true, printBackground: false });
        return cells;
      });
      const text = squash(execFileSync("pdftotext", ["-raw", path, "-"], { encoding: "utf8", maxBuffer: 1 << 28 }));
      const pages = Number(execFileSync("pdfinfo", [path], { encoding: "utf8" }).match(/Pages:\s+(\d+)/)[1]);
      const missing = cells.filter((cell) => !text.includes(squash(cell.replace(/[↕↑↓]/g, ""))));
      const how = script ? "" : "without script: ";
      if (missing.length) problems.push(`${how}${missing.length} of ${cells.length} cells are not on paper: ${missing.slice(0, 5).map((cell) => JSON.stringify(cell.trim())).join(", ")}`);
      note = `${cells.length} cells on ${pages} pages`;
    }
    return { problems, note };
  } finally {
    await rm(folder, { recursive: true });
  }
};

export const paper = (report) =>
  withPage(report, { width: PAGE_WIDTH }, async (page) => {
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const problems = await page.evaluate(cut);
    const ground = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    if (ground !== "light") problems.push(`the scheme on paper is ${ground}`);
    const tools = await page.locator(".tools, .contents, .table-tools").evaluateAll((all) => all.filter((element) => element.getClientRects().length).length);
    if (tools) problems.push(`${tools} tools are printed`);
    return { problems, note: `nothing is wider than ${PAGE_WIDTH} px` };
  });

/** In the page: tables, pictures and lines that do not fit. */
function cut() {
  const width = document.documentElement.clientWidth + 1;
  const problems = [];
  for (const element of document.querySelectorAll("table, figure, svg.chart, pre, .steps, td, th")) {
    const box = element.getBoundingClientRect();
    const isCut = getComputedStyle(element.parentElement).overflowX !== "visible" && element.scrollWidth > element.parentElement.clientWidth + 1;
    if (box.right > width || isCut) {
      const name = element.closest("table")?.ariaLabel ?? element.closest("table")?.caption?.textContent ?? element.textContent.trim().slice(0, 40);
      problems.push(`${element.localName} of "${name.slice(0, 60)}" ends at ${Math.round(box.right)} px`);
    }
  }
  return problems.slice(0, 10);
}
