// What pictures owe their readers: a whisker that leaves its picture ends in an arrow, and a flame
// graph can be zoomed and searched with the script and read without it.
import { withPage } from "../browser.mjs";

export const arrows = (report) =>
  withPage(report, {}, async (page) => {
    const { problems, arrows } = await page.evaluate(whiskers);
    return { problems, note: arrows ? `${arrows} arrows` : null };
  });

/** In the page: every whisker has a cap or an arrow at each end, and none leaves its picture. */
function whiskers() {
  const problems = [];
  let count = 0;
  for (const svg of document.querySelectorAll("svg.chart.intervals")) {
    if (!svg.getClientRects().length) continue;
    const name = svg.getAttribute("aria-label").slice(0, 50);
    const frame = svg.viewBox.baseVal;
    const arrows = [...svg.querySelectorAll(".c-arrow")].map((arrow) => arrow.getBBox());
    count += arrows.length;
    for (const whisker of svg.querySelectorAll(".c-whisker")) {
      // A line, then a cap for each end that is in the picture.
      const lines = whisker.getAttribute("d").split("M").filter(Boolean);
      const box = whisker.getBBox();
      if (box.x < -0.5 || box.x + box.width > frame.width + 0.5) problems.push(`a whisker leaves "${name}"`);
      const y = Number(lines[0].split(/[ a-z]/)[1]);
      const own = arrows.filter((arrow) => Math.abs(arrow.y + arrow.height / 2 - y) < 6).length;
      const isLegend = box.width < 20;
      if (!isLegend && lines.length - 1 + own < 2) problems.push(`a whisker of "${name}" ends with neither cap nor arrow`);
    }
    const words = [...svg.querySelectorAll("text")].some((text) => text.textContent.includes("beyond"));
    if (arrows.length && !words) problems.push(`no word on the arrows of "${name}"`);
  }
  return { problems, arrows: count };
}

export const flames = async (report) => {
  const problems = [];
  let note = null;
  await withPage(report, { script: false }, async (page) => {
    const { shown, tools } = await page.evaluate(() => {
      for (const fold of document.querySelectorAll("details")) fold.open = true;
      const texts = [...document.querySelectorAll("svg.flame text")];
      return { shown: texts.filter((text) => text.getClientRects().length).length, tools: document.querySelectorAll(".flame-tools").length };
    });
    if (!shown && (await page.locator("svg.flame").count())) problems.push("without script no frame has a name");
    if (tools) problems.push("without script there are tools that do nothing");
  });
  await withPage(report, {}, async (page) => {
    const all = page.locator("svg.flame");
    if (!(await all.count())) return;
    // One with a frame that has others beside it; of a function that only computes there is none.
    const found = await all.evaluateAll((graphs) => {
      for (const fold of document.querySelectorAll("details")) fold.open = true;
      for (const [at, graph] of graphs.entries()) {
        const widths = [...graph.querySelectorAll("rect")].map((rect) => Number(rect.getAttribute("width")));
        const whole = Math.max(...widths);
        const chosen = widths.findIndex((width) => width > 3 && width < 0.9 * whole);
        if (chosen >= 0) return { at, chosen };
      }
      return null;
    });
    if (!found) return problems.push("no frame to zoom on");
    const { at, chosen } = found;
    const svg = all.nth(at);
    const state = () =>
      svg.evaluate((element) =>
        [...element.querySelectorAll("rect")].map((rect) => ({
          x: Number(rect.getAttribute("x")),
          y: Number(rect.getAttribute("y")),
          width: Number(rect.getAttribute("width")),
          shown: rect.getClientRects().length > 0,
          hit: rect.classList.contains("hit"),
        })),
      );
    const before = await state();
    const whole = Math.max(...before.map((frame) => frame.width));
    const rect = svg.locator("rect").nth(chosen);
    await rect.dispatchEvent("click");
    const zoomed = await state();
    if (Math.abs(zoomed[chosen].width - whole) > 1) problems.push(`zoomed, the frame is ${zoomed[chosen].width} px wide of ${whole}`);
    const outside = before.findIndex((frame) => frame.x >= before[chosen].x + before[chosen].width - 0.05 && frame.width < whole);
    const left = before.findIndex((frame) => frame.x + frame.width <= before[chosen].x + 0.05);
    for (const beside of [outside, left].filter((at) => at >= 0)) {
      if (zoomed[beside].shown) problems.push("a frame beside the one that is zoomed on is still shown");
    }
    if (zoomed.filter((frame) => frame.shown).some((frame) => frame.x < -0.5 || frame.x + frame.width > whole + 1)) problems.push("zoomed, a frame leaves the picture");
    const tools = page.locator(".flame-tools").nth(at);
    await tools.locator(".reset").click();
    const after = await state();
    if (after.some((frame, at) => Math.abs(frame.x - before[at].x) > 0.06 || Math.abs(frame.width - before[at].width) > 0.06 || !frame.shown)) problems.push("reset does not bring every frame back");
    const name = await rect.evaluate((element) => (element.dataset.hint ?? element.querySelector("title").textContent).replace(/ \([^()]*\)$/, ""));
    await tools.locator("input").fill(name.toUpperCase());
    const said = await tools.locator("[role=status]").textContent();
    const hits = (await state()).filter((frame) => frame.hit);
    if (!hits.length || !(await state())[chosen].hit) problems.push(`a search for "${name}" does not mark its frame`);
    if (!said.startsWith(`${hits.length} of ${before.length} frames, `)) problems.push(`a search for "${name}" says "${said}"`);
    await page.keyboard.press("Enter");
    const widest = Math.max(...(await state()).filter((frame) => frame.hit && frame.shown).map((frame) => frame.width));
    if (Math.abs(widest - whole) > 1) problems.push("Enter does not zoom on what was found");
    await tools.locator("input").fill("no such function anywhere");
    if ((await state()).some((frame) => frame.hit)) problems.push("a search that finds nothing marks frames");
    note = `${before.length} frames; "${name}": ${said}`;
  });
  return { problems, note };
};
