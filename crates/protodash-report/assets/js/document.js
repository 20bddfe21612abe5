// The page and the data inside it.

const byId = (id) => document.getElementById(id);

/** All elements that match a selector, as an array. */
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/** The JSON of a data block, parsed on first use; null if there is none. */
const parsed = new Map();
const readData = (id) => {
  if (!parsed.has(id)) {
    const block = byId(id);
    parsed.set(id, block ? JSON.parse(block.textContent) : null);
  }
  return parsed.get(id);
};

/** The text of a compressed block; null if there is none. */
const unpacked = async (id) => {
  const block = byId(id);
  if (!block) return null;
  const text = atob(block.textContent);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
};

/** The text of a data block, whether it is compressed or not; null if there is none. */
const textOf = async (id) => (byId(id)?.dataset.packed ? unpacked(id) : (byId(id)?.textContent ?? null));

/** The JSON of a data block, which `readData` then has, also if it is compressed. */
const loadData = async (id) => {
  if (!parsed.has(id)) {
    const text = await textOf(id);
    parsed.set(id, text === null ? null : JSON.parse(text));
  }
  return parsed.get(id);
};

/** A name that can wrap after underscores, as an array of nodes. */
const breakable = (name) => name.split(/(?<=_)/).flatMap((part, at) => (at ? [document.createElement("wbr"), part] : [part]));

/** Longest name that is not cut; the Rust code uses the same number. */
const LONG_NAME = 60;

/** A name from the data; a long one is cut, with the full name in its tooltip. */
const shownName = (name) => {
  const shown = make("bdi");
  const chars = name.length > LONG_NAME ? [...name] : [];
  if (chars.length > LONG_NAME) {
    shown.title = name;
    shown.append(...breakable(`${chars.slice(0, LONG_NAME).join("")}…`));
  } else shown.append(...breakable(name));
  return shown;
};

/** Longest text that is not cut; the Rust code uses the same number. */
const LONG = 120;

/** The content for a text: the text, or for a long one its beginning with the rest on demand. */
const inShort = (text) => {
  const chars = text.length > LONG ? [...text] : [];
  if (chars.length <= LONG) return text;
  const whole = make("details", "", "long");
  whole.append(make("summary", `${chars.slice(0, LONG).join("")}…`), text);
  return whole;
};

/** The beginning of a long text. */
const clippedText = (text) => {
  const chars = text.length > LONG ? [...text] : [];
  return chars.length <= LONG ? text : `${chars.slice(0, LONG).join("")}…`;
};

/** A new element with text in it. Text never becomes markup. */
const make = (tag, text = "", className = "") => {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className) element.className = className;
  return element;
};
