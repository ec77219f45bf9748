// What the page's script adds: sorting, filters, languages, folds, links into folds, themes, tips, copies.
import { withPage } from "../browser.mjs";

export const sorts = (report) =>
  withPage(report, {}, async (page) => {
    const result = await page.evaluate(sortEverything);
    const heading = page.locator(".table[data-interactive] thead th.figure button").first();
    if (await heading.count()) {
      await heading.evaluate((button) => button.closest("details")?.setAttribute("open", ""));
      await heading.click();
      const order = await heading.evaluate((button) => button.closest("th").ariaSort);
      if (order !== "ascending") result.problems.push(`a click on a heading sorts ${order}`);
      await page.keyboard.press("Enter");
      const next = await heading.evaluate((button) => button.closest("th").ariaSort);
      if (next !== "descending") result.problems.push(`Enter on a heading sorts ${next}`);
    }
    if (result.tables && !result.moved) result.problems.push("no heading of any table moves a row");
    return { problems: result.problems, note: result.tables ? `${result.tables} tables, ${result.moved} headings move rows` : null };
  });

/** In the page: every heading of every table, thrice. Orders are compared with keys read anew. */
function sortEverything() {
  const problems = [];
  let moved = 0;
  const tables = [...document.querySelectorAll(".table[data-interactive] table")];
  for (const table of tables) {
    const rows = () => [...table.tBodies[0].rows];
    const original = rows();
    for (const heading of table.tHead.rows[0].cells) {
      const button = heading.querySelector("button");
      if (!button) continue;
      const name = `${table.ariaLabel ?? table.caption.textContent}: ${heading.textContent}`;
      const numbers = () => rows().map((row) => row.cells[heading.cellIndex].dataset.sort).filter((key) => key !== undefined).map(Number);
      const orders = [];
      for (const [state, sign] of [["ascending", 1], ["descending", -1], ["none", 0]]) {
        button.click();
        if (heading.getAttribute("aria-sort") !== state) problems.push(`${name}: ${heading.getAttribute("aria-sort")}, not ${state}`);
        const keys = numbers();
        if (sign && keys.some((key, at) => at > 0 && sign * (keys[at - 1] - key) > 0)) problems.push(`${name}: not ${state}: ${keys}`);
        orders.push(rows());
      }
      const isSame = (order) => order.length === original.length && order.every((row, at) => row === original[at]);
      if (!isSame(orders[2])) problems.push(`${name}: the third click does not bring the rows back`);
      if (!isSame(orders[0]) || !isSame(orders[1])) moved += 1;
    }
  }
  return { problems, tables: tables.length, moved };
}

export const filters = (report) =>
  withPage(report, {}, async (page) => {
    const input = page.locator(".table-tools input").first();
    if (!(await input.count())) return { problems: [], note: null };
    await input.evaluate((element) => {
      for (let fold = element.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    });
    const box = page.locator(".table", { has: input }).first();
    const rows = box.locator("tbody tr");
    const [total, name] = [await rows.count(), await rows.last().locator("th, td").first().evaluate((cell) => cell.querySelector("code")?.textContent ?? cell.textContent)];
    const shown = () => rows.evaluateAll((all) => all.filter((row) => row.getClientRects().length).length);
    const problems = [];
    await input.fill(name);
    const some = await shown();
    if (some < 1 || some >= total) problems.push(`a filter for "${name}" shows ${some} of ${total} rows`);
    await input.fill("there is no such method");
    if (await shown()) problems.push("a filter that nothing fits shows rows");
    await input.fill("");
    if ((await shown()) !== total) problems.push("without a filter rows are missing");
    return { problems, note: `${some} of ${total} rows for "${name}"` };
  });

export const languages = (report) =>
  withPage(report, {}, async (page) => {
    const chips = page.locator(".tools button[data-lang]");
    if (!(await chips.count())) return { problems: [], note: null };
    const lang = await chips.first().getAttribute("data-lang");
    const visible = () =>
      page.evaluate((lang) => [...document.querySelectorAll(`tr[data-lang="${lang}"]`)].filter((row) => getComputedStyle(row).display !== "none").length, lang);
    const before = await visible();
    await chips.first().click();
    const without = await visible();
    await chips.first().click();
    const after = await visible();
    const problems = before > 0 && without === 0 && after === before ? [] : [`${lang}: ${before}, ${without}, ${after} rows`];
    return { problems, note: `${before} rows of ${lang} go and come` };
  });

export const folds = (report) =>
  withPage(report, {}, async (page) => {
    const problems = [];
    const fold = page.locator("main details.fold").first();
    if (!(await fold.count())) return { problems, note: null };
    const summary = fold.locator("summary").first();
    await summary.scrollIntoViewIfNeeded();
    const isOpen = () => fold.evaluate((element) => element.open);
    const before = await isOpen();
    await summary.click();
    if ((await isOpen()) === before) problems.push("a click on a summary changes nothing");
    await summary.click();
    if ((await isOpen()) !== before) problems.push("a second click does not fold it back");
    const count = () => page.locator("main details.fold[open]").count();
    const all = await page.locator("main details.fold").count();
    const button = page.locator(".tools .unfold");
    if (await button.count()) {
      await button.click();
      if ((await count()) !== all) problems.push(`"Unfold all" leaves ${all - (await count())} folded`);
      await button.click();
      if (await count()) problems.push('"Fold all" leaves some unfolded');
    } else if (all > 1) {
      problems.push('there is no "Unfold all"');
    }
    return { problems, note: `${all} folds` };
  });

export const deepLinks = async (report) => {
  const id = await withPage(report, {}, (page) => page.evaluate(() => {
    const fold = [...document.querySelectorAll("details.fold:not([open])")].find((fold) => fold.querySelector(":scope > :not(summary)"));
    if (!fold) return null;
    return (fold.querySelector("[id]")?.id || "") || "?";
  }));
  if (!id) return { problems: [], note: null };
  const problems = [];
  // Where nothing in a fold has an id of its own, one is given to what is there.
  await withPage(report, { hash: id === "?" ? "" : `#${id}` }, async (page) => {
    const target = id === "?" ? "inside-a-fold" : id;
    if (id === "?") {
      await page.evaluate((target) => {
        document.querySelector("details.fold:not([open]) > :not(summary)").id = target;
        location.hash = target;
      }, target);
    }
    const element = page.locator(`[id="${target}"]`);
    await page.waitForTimeout(200);
    await element.waitFor({ state: "visible", timeout: 2000 }).catch(() => problems.push(`#${target} stays behind its fold`));
    if (!problems.length && !(await element.evaluate((element) => element.getBoundingClientRect().top < innerHeight))) {
      problems.push(`#${target} is not in the window`);
    }
  });
  return { problems, note: id === "?" ? "given an id" : `#${id}` };
};

export const themes = async (report) => {
  const problems = [];
  for (const theme of ["light", "dark"]) {
    await withPage(report, { theme }, async (page) => {
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const button = page.locator(".tools .theme");
      const seen = [await ground()];
      for (let press = 0; press < 3; press += 1) {
        await button.click();
        seen.push(await ground());
      }
      const [auto, light, dark, again] = seen;
      const expected = theme === "light" ? light : dark;
      if (light === dark) problems.push("light and dark have one ground");
      if (auto !== expected || again !== expected) problems.push(`auto is not what the system asks for (${theme}): ${seen}`);
    });
  }
  return { problems, note: "auto, light, dark" };
};

export const tips = (report) =>
  withPage(report, {}, async (page) => {
    const problems = [];
    let tried = 0;
    for (const selector of ["main .table td[title], main .steps > li[title]", "main .chart title"]) {
      const handle = (await page.evaluateHandle((selector) => {
        const found = document.querySelector(selector);
        return found?.localName === "title" ? found.parentElement : found;
      }, selector)).asElement();
      if (!handle) continue;
      tried += 1;
      const words = await handle.evaluate((element) => {
        for (let fold = element.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
        return element.querySelector(":scope > title")?.textContent ?? element.getAttribute("title");
      });
      await handle.scrollIntoViewIfNeeded();
      // Scrolling hides a tip: its event has to be over.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await handle.dispatchEvent("pointerover", { bubbles: true, clientX: 100, clientY: 100 });
      const shown = await page.locator(".tip:not([hidden])").textContent({ timeout: 2000 }).catch(() => null);
      if (shown !== words) problems.push(`over "${words}" the tip says "${shown}"`);
    }
    return { problems, note: tried ? `${tried} tips` : null };
  });

export const copies = (report) =>
  withPage(report, {}, async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const button = page.locator(".table-tools .copy").first();
    if (!(await button.count())) return { problems: [], note: null };
    await button.evaluate((element) => {
      for (let fold = element.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    });
    const rows = await page.locator(".table", { has: button }).first().locator("tbody tr").count();
    await button.click();
    await page.locator(".copy", { hasText: "Copied" }).waitFor({ timeout: 2000 });
    const lines = (await page.evaluate(() => navigator.clipboard.readText())).trim().split("\n");
    const isTable = lines.every((line) => line.startsWith("| ") && line.endsWith(" |")) && /^\| -/.test(lines[1]);
    const problems = isTable && lines.length === rows + 2 ? [] : [`no table of ${rows} rows: ${lines.slice(0, 3).join(" / ")}`];
    return { problems, note: `${lines.length} lines` };
  });
