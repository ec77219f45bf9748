// A real browser with a report open in it, and a watch on what the page says and asks for.
import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const PROGRAMS = ["chromium", "chromium-browser", "google-chrome"];

/** Where the browser is: what the environment says, or the first that is installed. */
export const findBrowser = () => {
  if (process.env.FATHOM_CHROMIUM) return process.env.FATHOM_CHROMIUM;
  for (const program of PROGRAMS) {
    try {
      return execFileSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).trim();
    } catch {
      // The next one, then.
    }
  }
  throw new Error(`no browser: none of ${PROGRAMS.join(", ")}; FATHOM_CHROMIUM names another`);
};

export const launch = () => {
  // The browser's own sandbox does not work for root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: findBrowser(), args });
};

/** Opens the report in a context of its own, hands it to `look`, and adds what the page said or asked for. */
export const withPage = async (report, options, look) => {
  const { width = 1280, height = 900, theme = "light", script = true } = options;
  const context = await report.browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    javaScriptEnabled: script,
    acceptDownloads: true,
    reducedMotion: "reduce",
  });
  try {
    const page = await context.newPage();
    const url = pathToFileURL(report.file).href;
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) report.heard.add(`console ${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => report.heard.add(`page error: ${error.message}`));
    page.on("request", (request) => {
      const asked = request.url().split("#")[0];
      if (asked !== url && !asked.startsWith("data:")) report.heard.add(`request: ${asked.slice(0, 200)}`);
    });
    await page.goto(`${url}${options.hash ?? ""}`, { waitUntil: "load" });
    return await look(page);
  } finally {
    await context.close();
  }
};

/** Opens or closes every fold, without the page's script. */
export const setFolds = (page, open) =>
  page.evaluate((open) => {
    for (const fold of document.querySelectorAll("details.fold")) fold.open = open;
  }, open);

export const WIDTHS = [360, 768, 1280];
export const THEMES = ["light", "dark"];
