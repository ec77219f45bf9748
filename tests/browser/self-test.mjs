// Shows that every check can fail: node self-test.mjs REPORT.html WIDE.html FLAMES.html AUDIT.html [--compare DIR]
// Damages copies of a good report, one fault in each, and runs the check that has to see it.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { launch } from "./browser.mjs";
import { CHECKS, run } from "./checks.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { compare: { type: "string" } } });
if (positionals.length !== 4) {
  console.error("usage: node self-test.mjs REPORT.html WIDE.html FLAMES.html AUDIT.html [--compare DIR]");
  process.exit(2);
}
const [REPORT, WIDE, FLAMES, AUDIT] = await Promise.all(positionals.map((file) => readFile(file, "utf8")));

const replace = (from, to) => (html) => {
  const damaged = html.replace(from, to);
  if (damaged === html) throw new Error(`nothing to damage: no ${from}`);
  return damaged;
};
const style = (rules) => replace("</style>", () => `${rules}</style>`);
const body = (markup) => replace("<footer>", () => `${markup}<footer>`);
const script = (code) => replace(/<\/script>(?![\s\S]*<\/script>)/, () => `${code}</script>`);
const policy = replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "");

/** The check, what is wrong with the page, and how it comes about; through which other check, and on which page. */
const FAULTS = [
  ["quiet", "an image from elsewhere", (html) => body('<img alt="" src="http://192.0.2.1/x.png">')(policy(html)), "opens"],
  ["quiet", "an image that the policy stops", body('<img alt="" src="http://192.0.2.1/x.png">'), "opens"],
  ["quiet", "a logged error", script('console.error("x");'), "opens"],
  ["quiet", "a script that throws", script('throw new Error("x");'), "opens"],
  ["opens", "a script that takes its time", script("{ const end = performance.now() + 4100; while (performance.now() < end); }")],
  ["overflow", "a table outside its container", body('<table><tr><td style="min-width:1500px">x</td></tr></table>')],
  ["firstScreen", "an answer below the first screen", style(".masthead { margin-top: 900px !important; }")],
  ["firstScreen", "a picture that is too high", style(".masthead figure { padding-top: 500px; }")],
  ["severity", "severities that are scrolled away", style("tbody th { min-width: 1400px !important; }"), "severity", AUDIT],
  ["arrows", "a clipped whisker without an arrow", (html) => html.replace(/<path class="c-arrow"[^>]*>/g, ""), "arrows", WIDE],
  ["flames", "a zoom that does nothing", replace("const scale = whole.width / frame.width;", "const scale = 1;"), "flames", FLAMES],
  ["flames", "a search that marks nothing", replace('classList.toggle("hit", hits.includes(each))', 'classList.toggle("hit", false)'), "flames", FLAMES],
  ["flames", "a reset that leaves frames away", replace('reset.addEventListener("click", () => zoom(whole));', ""), "flames", FLAMES],
  ["headings", "a level left out", body("<h2>a</h2><h5>b</h5>")],
  ["sorts", "rows that stay where they are", replace("entry.table.tBodies[0].append(...rows);", "")],
  ["sorts", "numbers sorted as words", replace("return Number(cell.dataset.sort)", "return cell.dataset.sort.split('').reverse().join('')")],
  ["filters", "a filter that hides nothing", style(".off { display: table-row !important; }")],
  ["languages", "a language that does not go", replace("showLanguages();", "")],
  ["folds", "summaries that do nothing", script('addEventListener("click", (event) => event.target.closest("summary") && event.preventDefault());')],
  ["deepLinks", "folds that stay closed over a link's target", script('addEventListener("hashchange", () => setTimeout(() => document.querySelectorAll("details").forEach((fold) => (fold.open = false)), 50));')],
  ["themes", "one theme", style(':root, [data-theme] { color-scheme: light !important; }')],
  ["tips", "tips that are not shown", replace("tip.hidden = !tipped;", "")],
  ["copies", "a copy of something else", replace(".writeText(text)", '.writeText("x")')],
  ["readable", "a row that only the script shows", style("tbody tr:last-child { display: none; }")],
  ["readable", "tools without the script", style(".tools { display: block !important; min-height: 9px; }")],
  ["downloads", "a file that does not decode", replace(/;base64,[^"]{8}/, ";base64,AAAAAAAA")],
  ["paper", "a table wider than the page", style("@media print { table { min-width: 900px; } }")],
  ["paper", "dark paper", style("@media print { :root { color-scheme: dark !important; } }")],
  ["pdf", "a row that is not printed", style("@media print { tbody tr:last-child { display: none; } }")],
  ["pdf", "folds that stay closed on paper", (html) => replace("details:not(.reference)::details-content { content-visibility: visible;", "details:not(.reference)::details-content {")(body("<details><summary>a</summary><table><tr><td>behindthefold</td></tr></table></details>")(html))],
  ["accessible", "a button without a name", body("<button></button>")],
  ["accessible", "faint words", body('<p style="color:#999;background:#bbb">faint words</p>')],
  ["pictures", "an answer in small type", style(".answer p { font-size: .8rem !important; }")],
  ["pictures", "contents above the text where they belong beside it", style(".page { display: block !important; }")],
  ["pictures", "another ground", style("body { background: #456 !important; }")],
];

const folder = await mkdtemp(join(tmpdir(), "fathom-browser-"));
const browser = await launch();
let failures = 0;
try {
  const file = join(folder, "report.html");
  for (const [check, fault, damage, through = check, good = REPORT] of FAULTS) {
    if (check === "pictures" && !values.compare) continue;
    const html = damage(good);
    await writeFile(file, html);
    const report = { file, html, heard: new Set(), browser, compare: values.compare };
    let seen = null;
    for await (const { name, problems } of run(report, [through])) {
      if (name === check) seen = problems[0] ?? null;
    }
    failures += seen ? 0 : 1;
    console.log(seen ? `seen ${check}: ${fault}: ${seen.slice(0, 140)}` : `MISSED ${check}: ${fault}`);
  }
  const without = [...Object.keys(CHECKS), "quiet"].filter((check) => !FAULTS.some(([of]) => of === check));
  for (const check of without) console.log(`MISSED ${check}: no fault is made for it`);
  failures += without.length;
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}
process.exitCode = failures ? 1 : 0;
