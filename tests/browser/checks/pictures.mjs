// Screenshots at three widths in both themes, and how far the page is from the kept ones.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { THEMES, WIDTHS, withPage } from "../browser.mjs";

/** A browser draws no more in one piece. */
const HEIGHT_MAX = 16_000;
/** The kept pictures show the head of the report: below, every line moves with a wider font. */
const KEPT = [[360, "light"], [768, "dark"], [1280, "light"]];
const KEPT_HEIGHT = 900;
/** Another font would move every line: these two are free, and metrics of well-known ones. */
const FONTS = { "--sans": "Liberation Sans", "--mono": "Liberation Mono" };
/** Pixels of a block: its mean has no letters, only grounds, density of text and pictures. */
const BLOCK = 8;
const COLOR_DISTANCE = 0.15;
const BLOCKS_OFF = 0.02;

export const pictures = async (report) => {
  if (report.screenshots) await shootAll(report);
  const problems = [];
  let note = report.screenshots ? `${WIDTHS.length * THEMES.length} screenshots` : null;
  for (const [width, theme] of report.compare || report.keep ? KEPT : []) {
    const name = `${width}-${theme}.png`;
    const shot = PNG.sync.read(await withPage(report, { width, height: KEPT_HEIGHT, theme }, shootHead));
    const blocks = shrink(shot);
    if (report.keep) {
      await mkdir(report.keep, { recursive: true });
      await writeFile(join(report.keep, name), PNG.sync.write(blocks, { deflateLevel: 9 }));
      note = "kept";
      continue;
    }
    const kept = PNG.sync.read(await readFile(join(report.compare, name)));
    const size = (png) => `${png.width} × ${png.height}`;
    if (size(kept) !== size(blocks)) {
      problems.push(`${name}: ${size(blocks)} blocks, kept are ${size(kept)}`);
      continue;
    }
    const off = pixelmatch(kept.data, blocks.data, null, kept.width, kept.height, { threshold: COLOR_DISTANCE, includeAA: true });
    const share = off / (kept.width * kept.height);
    const written = `${name} ${(share * 100).toFixed(1)} % of blocks off`;
    if (share > BLOCKS_OFF) problems.push(written);
    note = note ? `${note}, ${written}` : written;
  }
  return { problems, note };
};

const shootAll = async (report) => {
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      await withPage(report, { width, theme }, async (page) => {
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        const clip = { x: 0, y: 0, width, height: Math.min(height, HEIGHT_MAX) };
        await page.screenshot({ path: join(report.screenshots, `${width}-${theme}.png`), fullPage: true, clip });
      });
    }
  }
};

const shootHead = async (page) => {
  const missing = await page.evaluate((fonts) => {
    const width = (font) => {
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = `40px ${font}`;
      return pen.measureText("Fathom measures what it costs, il1|O0").width;
    };
    for (const [name, font] of Object.entries(fonts)) document.documentElement.style.setProperty(name, `"${font}"`);
    // A font that is not there is replaced by the next, whichever that is.
    return Object.values(fonts).filter((font) => width(`"${font}", serif`) !== width(`"${font}", cursive`) || width(`"${font}", serif`) === width("serif"));
  }, FONTS);
  if (missing.length) throw new Error(`pictures are kept in fonts that are missing here: ${missing.join(", ")}`);
  return page.screenshot();
};

/** The mean color of each block. */
const shrink = (png) => {
  const [width, height] = [Math.floor(png.width / BLOCK), Math.floor(png.height / BLOCK)];
  const small = new PNG({ width, height });
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      for (let channel = 0; channel < 4; channel += 1) {
        let sum = 0;
        for (let dy = 0; dy < BLOCK; dy += 1) {
          for (let dx = 0; dx < BLOCK; dx += 1) sum += png.data[((y * BLOCK + dy) * png.width + x * BLOCK + dx) * 4 + channel];
        }
        small.data[(y * width + x) * 4 + channel] = Math.round(sum / BLOCK ** 2);
      }
    }
  }
  return small;
};
