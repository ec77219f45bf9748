// What axe-core finds, in both themes, on a phone and on a desk, folded and unfolded.
import axe from "axe-core";
import { THEMES, setFolds, withPage } from "../browser.mjs";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const WIDTHS = [360, 1280];

export const accessible = async (report) => {
  const problems = [];
  let rules = 0;
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      await withPage(report, { width, theme }, async (page) => {
        // Folded is how readers find it, unfolded is all of it; one width each would miss colors.
        await setFolds(page, true);
        await page.evaluate(axe.source);
        const found = await page.evaluate((tags) => globalThis.axe.run(document, { runOnly: tags, resultTypes: ["violations"] }), TAGS);
        rules = Math.max(rules, found.passes.length);
        for (const violation of found.violations) {
          const nodes = violation.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} (${node.any[0]?.message ?? node.failureSummary})`);
          problems.push(`${width} px, ${theme}: ${violation.id} at ${violation.nodes.length} places: ${nodes.join("; ")}`);
        }
      });
    }
  }
  return { problems, note: `${rules} rules pass at ${WIDTHS.join(" and ")} px in ${THEMES.join(" and ")}` };
};

/** Headings begin at 1 and go one level down at a time, whatever is folded. */
export const headings = (report) =>
  withPage(report, {}, async (page) => {
    const levels = await page.evaluate(() => [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((heading) => Number(heading.localName[1])));
    const problems = [];
    if (levels.filter((level) => level === 1).length !== 1) problems.push(`h1: ${levels.filter((level) => level === 1).length} of them`);
    levels.forEach((level, at) => {
      if (at > 0 && level > levels[at - 1] + 1) problems.push(`h${level} after h${levels[at - 1]}`);
    });
    return { problems, note: `${levels.length} headings` };
  });
