// How fast the page opens, and whether anything sticks out of it.
import { THEMES, WIDTHS, setFolds, withPage } from "../browser.mjs";

/** What a report of the full catalog is allowed. */
const OPEN_LIMIT_MS = 4000;
const TRIES = 3;

export const opens = async (report) => {
  const times = [];
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    await withPage(report, {}, async (page) => {
      // The page's own clock begins when the browser goes to it; two frames later it has been drawn.
      const ms = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))));
      times.push(Math.round(ms));
    });
    if (times.at(-1) < OPEN_LIMIT_MS) break;
  }
  const best = Math.min(...times);
  const problems = best < OPEN_LIMIT_MS ? [] : [`opens in ${best} ms at best, the limit is ${OPEN_LIMIT_MS} ms`];
  return { problems, note: `${best} ms to load and lay out` };
};

export const overflow = async (report) => {
  const problems = [];
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      await withPage(report, { width, theme }, async (page) => {
        for (const open of [false, true]) {
          await setFolds(page, open);
          const found = await page.evaluate(overhang);
          problems.push(...found.map((what) => `${width} px, ${theme}${open ? ", unfolded" : ""}: ${what}`));
        }
      });
    }
  }
  return { problems, note: `${WIDTHS.join(", ")} px, ${THEMES.join(" and ")}, folded and unfolded` };
};

/** In the page: what makes the document wider than the window. */
function overhang() {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const scrolls = (element) => element.closest(".scroll") && !element.matches(".scroll");
  const wide = [...document.body.querySelectorAll("*")].filter(
    (element) => !scrolls(element) && element.getBoundingClientRect().right > width + 1,
  );
  const name = (element) => `${element.localName}.${element.getAttribute("class") ?? ""} ${element.textContent.trim().slice(0, 40)}`;
  return [`${document.documentElement.scrollWidth} px wide: ${wide.slice(-3).map(name).join("; ") || "nobody knows why"}`];
}
