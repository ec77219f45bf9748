// Every check by its name, and how they are run: one after the other, in one browser.
import { accessible, headings } from "./checks/accessibility.mjs";
import { arrows, flames } from "./checks/charts.mjs";
import { firstScreen, severity } from "./checks/first-screen.mjs";
import { copies, deepLinks, filters, folds, languages, sorts, themes, tips } from "./checks/interaction.mjs";
import { opens, overflow } from "./checks/layout.mjs";
import { downloads, readable } from "./checks/no-script.mjs";
import { pictures } from "./checks/pictures.mjs";
import { paper, pdf } from "./checks/print.mjs";

export const CHECKS = { opens, overflow, firstScreen, severity, arrows, flames, headings, sorts, filters, languages, folds, deepLinks, themes, tips, copies, readable, downloads, paper, pdf, accessible, pictures };

/** What became of each check; last of all what was heard from the page meanwhile. */
export async function* run(report, names) {
  for (const name of names) {
    const told = (error) => ({ problems: [error.stack.split("\n").slice(0, 3).join(" ")], note: null });
    yield { name, ...(await CHECKS[name](report).catch(told)) };
  }
  yield { name: "quiet", problems: [...report.heard], note: "nothing said, nothing asked for" };
}
