// Saves what the page shows: tables as CSV, charts as SVG and PNG. Copies the calls that make the page again.

/** What is drawn only when it is seen, as functions that draw it now. */
const postponed = [];
const catchUp = () => postponed.forEach((draw) => draw());

/** A file name made of words. */
const fileNameOf = (words, ending) => {
  const name = words.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return `${name.slice(0, 80) || "protodash"}.${ending}`;
};

const csvField = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The content of a cell: numbers with all their digits, long texts and names in full. */
const savedText = (cell) => {
  if (cell.dataset.value) return cell.dataset.value;
  const copy = cell.cloneNode(true);
  for (const part of all("summary, .apart", copy)) part.remove();
  return copy.querySelector("[title]")?.title ?? copy.textContent.trim();
};

/** The shown lines of a table as CSV, in their order. */
const csvOf = (table) => {
  const heads = [...table.tHead.rows[0].cells].map((head) => (head.querySelector(".row-name") ?? head).textContent.trim());
  const isShown = (line) => !line.hidden && getComputedStyle(line).display !== "none";
  const lines = [...table.tBodies].flatMap((body) => [...body.rows]).filter(isShown).map((line) => [...line.cells].map(savedText));
  return [heads, ...lines].map((line) => `${line.map(csvField).join(",")}\r\n`).join("");
};

const SVG_SPACE = "http://www.w3.org/2000/svg";
const PAINT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "opacity", "vector-effect"];
const TYPE = ["font-size", "font-weight", "text-anchor"];

/** A copy of a drawing whose looks are its own attributes: the page's policy, and other programs, know no stylesheet of it. */
const withOwnLooks = (drawing) => {
  const copy = drawing.cloneNode(true);
  const twins = all("*", copy);
  const pairs = [[drawing, copy], ...all("*", drawing).map((part, at) => [part, twins[at]])];
  const unseen = [];
  for (const [part, twin] of pairs) {
    const style = getComputedStyle(part);
    if (style.display === "none") unseen.push(twin);
    for (const { name } of [...twin.attributes]) {
      // Lines refer to their arrow heads.
      const isNeeded = name === "id" && part.localName === "marker";
      if (!isNeeded && /^(class|id|tabindex|role|hidden|aria-|data-)/.test(name)) twin.removeAttribute(name);
    }
    if (part.localName === "title") continue;
    for (const name of PAINT) twin.setAttribute(name, style.getPropertyValue(name));
    if (part.localName === "text") for (const name of TYPE) twin.setAttribute(name, style.getPropertyValue(name));
  }
  for (const twin of unseen) twin.remove();
  return copy;
};

const drawn = (tag, attributes, text = "") => {
  const element = document.createElementNS(SVG_SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.textContent = text;
  return element;
};

/** The legend of a chart as lines below it, from `top` on; returns how high it is. */
const addLegend = (copy, legend, [left, top, width]) => {
  const size = width / 38;
  const items = legend ? [...legend.children].filter((item) => item.textContent.trim()) : [];
  for (const [at, item] of items.entries()) {
    const middle = top + (1.6 * at + 1) * size;
    const icon = item.querySelector("svg");
    if (icon) {
      const mark = withOwnLooks(icon);
      const place = { x: left + size, y: middle - 0.6 * size, width: 2.4 * size, height: 1.2 * size };
      for (const [name, value] of Object.entries(place)) mark.setAttribute(name, String(value));
      copy.append(mark);
    }
    const color = getComputedStyle(item).color;
    copy.append(drawn("text", { x: left + 4 * size, y: middle + 0.35 * size, "font-size": size, fill: color }, item.textContent.trim()));
  }
  return items.length ? (1.6 * items.length + 1) * size : 0;
};

/** The words of a text in lines of at most `most` characters; longer words are cut. */
const linesOf = (text, most) => {
  const lines = [""];
  for (const word of text.split(/\s+/).map((word) => (word.length > most ? `${word.slice(0, most - 1)}…` : word))) {
    const line = lines.at(-1);
    if (line && line.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
};

/** The title of a chart as text above it; returns how high it is. */
const addTitle = (copy, title, [left, top, width]) => {
  const size = width / 32;
  const lines = linesOf(title, Math.floor(width / (0.55 * size)));
  const height = (1.35 * lines.length + 0.5) * size;
  const looks = { x: left + 0.4 * size, "font-size": size, "font-weight": 600, fill: getComputedStyle(document.documentElement).color };
  for (const [at, line] of lines.entries()) copy.append(drawn("text", { ...looks, y: top - height + (1.35 * at + 1.1) * size }, line));
  return height;
};

/** A list of bars with their names and numbers. */
const LIST = { width: 640, name: 230, bar: 250, line: 26 };

/** A list of bars, such as categories, as a drawing. */
const listDrawing = (list) => {
  const items = [...list.children];
  const copy = drawn("svg", {});
  const color = getComputedStyle(list).color;
  const text = (x, y, anchor, words) => copy.append(drawn("text", { x, y, "font-size": 14, "text-anchor": anchor, fill: color }, words));
  for (const [at, item] of items.entries()) {
    const top = at * LIST.line;
    const name = item.querySelector(".level-name, .bar-name");
    text(8, top + 18, "start", linesOf(name?.querySelector("[title]")?.title ?? name?.textContent ?? "", 28)[0]);
    const bars = all("svg", item);
    for (const [place, bar] of bars.entries()) {
      const part = withOwnLooks(bar);
      const height = (LIST.line - 8) / bars.length;
      const looks = { x: LIST.name, y: top + 5 + place * height, width: LIST.bar, height: height - (bars.length > 1 ? 1 : 0) };
      for (const [key, value] of Object.entries(looks)) part.setAttribute(key, String(value));
      copy.append(part);
    }
    text(LIST.width - 8, top + 18, "end", item.querySelector(".level-text, .bar-text")?.textContent.trim() ?? "");
  }
  return { copy, box: { x: 0, y: 0, width: LIST.width, height: items.length * LIST.line + 6 } };
};

/** A chart as an SVG file with this title: its text, width and height. */
const svgOf = (chart, title) => {
  const { copy, box } = chart.localName === "ul" ? listDrawing(chart) : { copy: withOwnLooks(chart), box: chart.viewBox.baseVal };
  const { x, width } = box;
  const above = addTitle(copy, title, [x, box.y, width]);
  const y = box.y - above;
  const legend = chart.closest("section")?.querySelector(".legend");
  const total = above + box.height + addLegend(copy, legend, [x, box.y + box.height, width]);
  const ground = getComputedStyle(document.documentElement).backgroundColor;
  copy.prepend(drawn("title", {}, title), drawn("rect", { x, y, width, height: total, fill: ground }));
  const looks = { xmlns: SVG_SPACE, viewBox: `${x} ${y} ${width} ${total}`, width, height: total, "font-family": "system-ui, sans-serif" };
  for (const [name, value] of Object.entries(looks)) copy.setAttribute(name, String(value));
  return { text: new XMLSerializer().serializeToString(copy), width, height: total };
};

const PNG_WIDTH = 1600;

/** An SVG file as a PNG file. */
const pngOf = ({ text, width, height }) =>
  new Promise((resolve, reject) => {
    const image = new Image();
    image.addEventListener("error", reject);
    image.addEventListener("load", () => {
      const canvas = make("canvas");
      [canvas.width, canvas.height] = [PNG_WIDTH, Math.round((PNG_WIDTH * height) / width)];
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(resolve, "image/png");
    });
    // The page's policy allows images as data only.
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });

/** A line with a name and buttons. */
const saverLine = (name, buttons) => {
  const line = make("li");
  line.append(make("span", name));
  for (const [format, save] of buttons) {
    const button = make("button", format);
    button.type = "button";
    button.setAttribute("aria-label", `Save as ${format}: ${name}`);
    button.addEventListener("click", save);
    line.append(button);
  }
  return line;
};

const tableName = (table) => (table.closest("[aria-label]")?.getAttribute("aria-label") ?? document.title).replace(/, scrolling$/, "");

const tableSaver = (table) => {
  const save = () => {
    catchUp();
    saveFile(fileNameOf(tableName(table), "csv"), new Blob([csvOf(table)], { type: "text/csv" }));
  };
  return saverLine(tableName(table), [["CSV", save]]);
};

const chartSaver = (chart) => {
  const name = chart.getAttribute("aria-label");
  const saveSvg = () => {
    catchUp();
    saveFile(fileNameOf(name, "svg"), new Blob([svgOf(chart, name).text], { type: "image/svg+xml" }));
  };
  const savePng = async () => {
    catchUp();
    saveFile(fileNameOf(name, "png"), await pngOf(svgOf(chart, name)));
  };
  return saverLine(name, [["SVG", saveSvg], ["PNG", savePng]]);
};

/** Puts text into the clipboard; pages opened from a file may have to do it through a selection. */
const copyText = async (text, element) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    getSelection().selectAllChildren(element);
    document.execCommand("copy");
  }
};

const CHARTS = 'svg[role="img"][aria-label]:not(.image), #network, ul.levels[aria-label], ul.bars[aria-label]';

const setUpExport = () => {
  const savers = byId("savers");
  savers.append(...all("table.sortable:not(.versus)").map(tableSaver), ...all(CHARTS).map(chartSaver));
  for (const button of all("button.copy")) {
    const words = button.textContent;
    button.addEventListener("click", async () => {
      const code = byId(button.dataset.of);
      await copyText(code.textContent, code);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = words), 2000);
    });
  }
};
