// What makes the page handier: sorting, filtering, tips, folds, themes. The page
// is whole without it. Keeps nothing and loads nothing.
(() => {
  "use strict";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const FILTER_ROWS = 8;
  const tables = all(".table").map((box) => ({
    box,
    table: box.querySelector("table"),
    rows: all("tbody > tr", box),
    words: "",
    count: null,
  }));
  const off = new Set();

  // Rows
  const showRows = (entry) => {
    let shown = 0;
    for (const row of entry.rows) {
      const hit = !entry.words || row.textContent.toLowerCase().includes(entry.words);
      const hidden = !hit || off.has(row.dataset.lang);
      row.classList.toggle("off", hidden);
      shown += hidden ? 0 : 1;
    }
    if (entry.count) {
      entry.count.textContent = shown === entry.rows.length ? "" : `${shown} of ${entry.rows.length} rows`;
    }
  };

  const keyOf = (row, index) => {
    const cell = row.cells[index];
    if (cell?.dataset.sort !== undefined) return Number(cell.dataset.sort);
    return cell?.textContent.trim() ?? "";
  };
  const compare = (a, b, sign) => {
    const numbers = [a, b].filter((key) => typeof key === "number").length;
    if (numbers === 2) return sign * (a - b);
    // What has no number stands last, whichever way the numbers run.
    if (numbers === 1) return typeof a === "number" ? -1 : 1;
    return sign * a.localeCompare(b, "en", { numeric: true });
  };
  const sort = (entry, heading) => {
    const next = { none: "ascending", ascending: "descending", descending: "none" };
    const order = next[heading.getAttribute("aria-sort") ?? "none"];
    for (const other of all("thead th", entry.table)) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", order);
    const sign = order === "descending" ? -1 : 1;
    const index = heading.cellIndex;
    const rows = [...entry.rows];
    if (order !== "none") rows.sort((a, b) => compare(keyOf(a, index), keyOf(b, index), sign));
    entry.table.tBodies[0].append(...rows);
  };

  const asMarkdown = ({ table }) => {
    const text = (cell) => cell.textContent.replace(/[↕↑↓]/g, "").replace(/[\u2007\u2008]/g, "").replace(/\s+/g, " ").trim().replace(/\|/g, "\\|");
    const line = (cells) => `| ${cells.join(" | ")} |`;
    const headings = [...table.tHead.rows[0].cells];
    const rules = headings.map((cell) => (cell.classList.contains("figure") ? "---:" : "---"));
    const rows = [...table.tBodies[0].rows].filter((row) => !row.classList.contains("off"));
    return [line(headings.map(text)), line(rules), ...rows.map((row) => line([...row.cells].map(text)))].join("\n") + "\n";
  };
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", { value: text });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };

  for (const entry of tables) {
    if (!("interactive" in entry.box.dataset)) continue;
    for (const heading of all("thead th", entry.table)) {
      // An interval is sorted with the figure before it.
      if (heading.classList.contains("beside")) continue;
      const button = make("button", { type: "button" });
      button.append(...heading.childNodes);
      heading.append(button);
      heading.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => sort(entry, heading));
    }
    const bar = make("div", { className: "table-tools" });
    if (entry.rows.length >= FILTER_ROWS) {
      const input = make("input", { type: "search", autocomplete: "off", spellcheck: false });
      input.addEventListener("input", () => {
        entry.words = input.value.trim().toLowerCase();
        showRows(entry);
      });
      entry.count = make("span", { role: "status" });
      bar.append(make("label", {}, "Filter", input), entry.count);
    }
    const button = make("button", { type: "button", textContent: "Copy as Markdown", className: "copy" });
    button.addEventListener("click", async () => {
      await copy(asMarkdown(entry));
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy as Markdown"), 1500);
    });
    bar.append(button);
    // Below the caption's words, and not of the table's name.
    entry.table.ariaLabel = entry.table.caption.textContent;
    entry.table.caption.append(bar);
  }

  // Languages
  const strips = all(".strip[data-langs]");
  const showLanguages = () => {
    tables.forEach(showRows);
    for (const strip of strips) strip.classList.toggle("off", strip.dataset.langs.split(" ").every((lang) => off.has(lang)));
    for (const lang of languages) all(`.chart .${lang}`).forEach((mark) => mark.classList.toggle("dim", off.has(lang)));
  };
  const languages = [...new Set(all("tr[data-lang]").map((row) => row.dataset.lang))].filter((lang) => lang !== "machine").sort();
  const tools = document.querySelector(".tools");
  if (languages.length > 1) {
    const chips = make("div", { className: "group", role: "group", ariaLabel: "Languages shown" });
    for (const lang of languages) {
      const swatch = make("i", { className: `swatch ${lang} shade-0`, ariaHidden: "true" });
      const chip = make("button", { type: "button", ariaPressed: "true" }, swatch, lang);
      chip.dataset.lang = lang;
      chip.addEventListener("click", () => {
        if (!off.delete(lang)) off.add(lang);
        chip.ariaPressed = String(!off.has(lang));
        showLanguages();
      });
      chips.append(chip);
    }
    tools.append(chips);
  }

  // Flame graphs: zoom on a frame, search for names
  const LETTER = 6.7;
  for (const svg of all("svg.flame")) {
    const number = (rect, name) => Number(rect.getAttribute(name));
    const frames = all("rect", svg).map((rect) => {
      const title = rect.querySelector("title")?.textContent ?? "";
      const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => number(rect, name));
      return { rect, name: title.replace(/ \([^()]*\)$/, ""), x, y, width, height };
    });
    const drawn = svg.querySelector(".flame-names");
    if (!frames.length || !drawn) continue;
    const whole = frames.reduce((a, b) => (b.width > a.width || (b.width === a.width && b.y > a.y) ? b : a));
    const names = drawn.cloneNode(false);
    let zoomed = whole;
    const input = make("input", { type: "search", autocomplete: "off", spellcheck: false });
    const found = make("span", { role: "status" });
    const reset = make("button", { type: "button", className: "reset", textContent: "Reset zoom", hidden: true });
    const within = (a, b) => a.x >= b.x - 0.15 && a.x + a.width <= b.x + b.width + 0.15;
    const zoom = (frame) => {
      zoomed = frame;
      const isWhole = frame === whole;
      reset.hidden = isWhole;
      drawn.remove();
      names.remove();
      names.replaceChildren();
      const scale = whole.width / frame.width;
      for (const each of frames) {
        const above = within(each, frame) && each.y <= frame.y;
        const below = !above && each.y > frame.y && within(frame, each);
        each.rect.style.display = isWhole || above || below ? "" : "none";
        each.rect.classList.toggle("under", below && !isWhole);
        const [x, width] = isWhole ? [each.x, each.width] : above ? [whole.x + (each.x - frame.x) * scale, each.width * scale] : [whole.x, whole.width];
        each.rect.setAttribute("x", x.toFixed(1));
        each.rect.setAttribute("width", width.toFixed(1));
        const letters = Math.floor((width - 6) / LETTER);
        if (isWhole || !(above || below) || letters < 3) continue;
        const text = document.createElementNS(svg.namespaceURI, "text");
        const name = each.name.replace(/ \((kernel|compiled at run time)\)$/, "");
        text.textContent = name.length > letters ? `${name.slice(0, letters - 2)}..` : name;
        text.setAttribute("x", (x + 3).toFixed(1));
        text.setAttribute("y", (each.y + each.height / 2 + 3.5).toFixed(1));
        names.append(text);
      }
      svg.append(isWhole ? drawn : names);
    };
    const search = () => {
      const words = input.value.trim().toLowerCase();
      const hits = frames.filter((each) => words && each.name.toLowerCase().includes(words));
      for (const each of frames) each.rect.classList.toggle("hit", hits.includes(each));
      // Samples that have it anywhere in their stack: each counts once, however often it is there.
      let [share, end] = [0, -Infinity];
      for (const { x, width } of [...hits].sort((a, b) => a.x - b.x)) {
        share += Math.max(0, x + width - Math.max(x, end));
        end = Math.max(end, x + width);
      }
      const percent = ((100 * share) / whole.width).toFixed(1);
      found.textContent = !words ? "" : hits.length ? `${hits.length} of ${frames.length} frames, ${percent} % of the samples` : "no frame of the picture has it in its name";
      return hits;
    };
    input.addEventListener("input", search);
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") input.value = "";
      const hits = search();
      if (event.key === "Enter" && hits.length) zoom(hits.reduce((a, b) => (b.width > a.width ? b : a)));
    });
    reset.addEventListener("click", () => zoom(whole));
    svg.addEventListener("click", (event) => {
      const frame = frames.find(({ rect }) => rect === event.target);
      if (frame) zoom(frame === zoomed ? whole : frame);
    });
    const bar = make("div", { className: "flame-tools" }, make("label", {}, "Search", input), found, reset);
    svg.closest(".drawing").before(bar);
  }

  // Folds
  const folds = all("details.fold");
  if (folds.length > 1) {
    const button = make("button", { type: "button", className: "unfold", textContent: "Unfold all" });
    button.addEventListener("click", () => {
      const open = button.textContent === "Unfold all";
      for (const fold of folds) fold.open = open;
      button.textContent = open ? "Fold all" : "Unfold all";
    });
    tools.append(button);
  }
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    let moved = false;
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      moved ||= !fold.open;
      fold.open = true;
    }
    if (moved) target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = folds.filter((fold) => !fold.open && !fold.classList.contains("reference"));
    for (const fold of closed) fold.open = true;
  });
  addEventListener("afterprint", () => closed.forEach((fold) => (fold.open = false)));

  // Theme
  const themes = ["auto", "light", "dark"];
  const theme = make("button", { type: "button", className: "theme", textContent: "Theme: auto" });
  theme.addEventListener("click", () => {
    const root = document.documentElement;
    const next = themes[(themes.indexOf(root.dataset.theme ?? "auto") + 1) % themes.length];
    if (next === "auto") delete root.dataset.theme;
    else root.dataset.theme = next;
    theme.textContent = `Theme: ${next}`;
  });
  tools.append(theme);
  tools.hidden = false;

  // Tips: what a title says, at once, and under a finger too.
  const tip = make("div", { className: "tip", hidden: true });
  document.body.append(tip);
  let tipped = null;
  const hintOf = (element) => {
    if (element.dataset.hint) return element.dataset.hint;
    const title = [...element.children].find((child) => child.localName === "title");
    const hint = title ? title.textContent : element.getAttribute("title");
    if (!hint) return "";
    // The browser's own tip would cover this one.
    if (title) title.remove();
    else element.removeAttribute("title");
    element.dataset.hint = hint;
    return hint;
  };
  const hinted = (from) => {
    for (let element = from; element?.closest; element = element.parentElement) {
      if (element.localName === "svg" || element.localName === "main") return null;
      if (element.dataset?.hint || element.hasAttribute?.("title") || element.querySelector?.(":scope > title")) return element;
    }
    return null;
  };
  const place = (x, y) => {
    const { width, height } = tip.getBoundingClientRect();
    const below = y + 18 + height < innerHeight;
    tip.style.left = `${Math.max(8, Math.min(x + 12, innerWidth - width - 8))}px`;
    tip.style.top = `${Math.max(8, below ? y + 18 : y - height - 12)}px`;
  };
  document.querySelector("main").addEventListener("pointerover", (event) => {
    tipped = hinted(event.target);
    tip.hidden = !tipped;
    if (!tipped) return;
    tip.textContent = hintOf(tipped);
    place(event.clientX, event.clientY);
  });
  addEventListener("pointermove", (event) => tipped && event.pointerType === "mouse" && place(event.clientX, event.clientY));
  const hide = () => {
    tipped = null;
    tip.hidden = true;
  };
  addEventListener("scroll", hide, { passive: true, capture: true });
  addEventListener("keydown", (event) => event.key === "Escape" && hide());

  // Only what scrolls is a stop of the tab key, and then it has a name.
  const nameOf = (box) => {
    const words = box.querySelector("caption > span") ?? box.closest("figure")?.querySelector("figcaption");
    return words?.textContent ?? "Aligned lines";
  };
  const scrolls = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const isStop = target.scrollWidth > target.clientWidth + 1;
      for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", nameOf(target)]]) {
        if (isStop) target.setAttribute(name, value);
        else target.removeAttribute(name);
      }
    }
  });
  for (const box of all(".scroll")) scrolls.observe(box);

  // Where the reader is
  document.documentElement.classList.add("js");
  const side = document.querySelector(".side");
  const entries = new Map(all(".contents a").map((link) => [link.hash.slice(1), link]));
  const seen = new IntersectionObserver((found) => {
    for (const { target, isIntersecting } of found) {
      if (!isIntersecting) continue;
      for (const link of entries.values()) link.removeAttribute("aria-current");
      const link = entries.get(target.id);
      link.setAttribute("aria-current", "true");
      side.scrollTop = link.offsetTop - side.clientHeight / 2;
    }
  }, { rootMargin: "-15% 0px -80% 0px" });
  for (const id of entries.keys()) {
    const section = document.getElementById(id);
    if (section) seen.observe(section);
  }
})();
