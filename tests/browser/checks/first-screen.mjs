// What a reader sees before scrolling: the answer and the first picture of a report, and how grave
// each finding of an audit is.
import { THEMES, withPage } from "../browser.mjs";

const SCREENS = [[1280, 800], [390, 844]];

export const firstScreen = async (report) => {
  const problems = [];
  const notes = [];
  for (const [width, height] of SCREENS) {
    for (const theme of THEMES) {
      await withPage(report, { width, height, theme }, async (page) => {
        const { answer, picture } = await page.evaluate(() => {
          const box = (element) => {
            const { top, bottom, left, right } = element.getBoundingClientRect();
            return { top, bottom, left, right };
          };
          const drawn = [...document.querySelectorAll(".masthead figure svg")].filter((svg) => svg.getClientRects().length);
          const answer = document.querySelector(".masthead .answer p");
          return { answer: answer && box(answer), picture: drawn.length === 1 ? box(drawn[0]) : null };
        });
        const inside = (box) => box && box.bottom - box.top > 10 && box.top >= 0 && box.bottom <= height && box.left >= 0 && box.right <= width + 1;
        const where = `${width} × ${height}, ${theme}`;
        if (!inside(answer)) problems.push(`${where}: the answer is not on the first screen: ${JSON.stringify(answer)}`);
        if (!inside(picture)) problems.push(`${where}: the first picture is not on the first screen: ${JSON.stringify(picture)}`);
        notes.push(`${Math.round(picture?.bottom ?? 0)} of ${height} px`);
      });
    }
  }
  return { problems, note: notes.join(", ") };
};

export const severity = async (report) => {
  const problems = [];
  let found = 0;
  for (const [width, height] of SCREENS) {
    await withPage(report, { width, height }, async (page) => {
      const cells = await page.evaluate(() => {
        const headings = [...document.querySelectorAll("main table thead th")].filter((th) => th.textContent.includes("severity"));
        return headings.flatMap((th) => [...th.closest("table").tBodies[0].rows].map((row) => row.cells[th.cellIndex])).map((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          const { left, right } = range.getBoundingClientRect();
          return { text: cell.textContent, left, right };
        });
      });
      found += cells.length;
      for (const { text, left, right } of cells) {
        if (left < 0 || right > width || right <= left) problems.push(`${width} px: "${text}" lies from ${Math.round(left)} to ${Math.round(right)} px`);
      }
    });
  }
  return { problems, note: found ? `${found} severities in the window` : null };
};
