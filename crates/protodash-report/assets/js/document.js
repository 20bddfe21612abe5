// The page and the data inside it.

const byId = (id) => document.getElementById(id);

/** All elements for which a selector holds, as a list. */
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/** The JSON of a data block, parsed when it is first asked for; null if there is none. */
const parsed = new Map();
const readData = (id) => {
  if (!parsed.has(id)) {
    const block = byId(id);
    parsed.set(id, block ? JSON.parse(block.textContent) : null);
  }
  return parsed.get(id);
};

/** A name that may be broken after its underscores, as a list of nodes. */
const breakable = (name) => name.split(/(?<=_)/).flatMap((part, at) => (at ? [document.createElement("wbr"), part] : [part]));

/** Characters that a name may have and be shown as a whole; the page that it begins with knows the same number. */
const LONG_NAME = 60;

/** A name from the data: of a long one the beginning, and the whole of it where the pointer rests. */
const shownName = (name) => {
  const shown = make("bdi");
  const signs = name.length > LONG_NAME ? [...name] : [];
  if (signs.length > LONG_NAME) {
    shown.title = name;
    shown.append(...breakable(`${signs.slice(0, LONG_NAME).join("")}…`));
  } else shown.append(...breakable(name));
  return shown;
};

/** Characters that a text may have and be shown as a whole; the page that it begins with knows the same number. */
const LONG = 120;

/** What an element holds for a text: the text, or of a long one its beginning and all of it on demand. */
const inShort = (text) => {
  const signs = text.length > LONG ? [...text] : [];
  if (signs.length <= LONG) return text;
  const whole = make("details", "", "long");
  whole.append(make("summary", `${signs.slice(0, LONG).join("")}…`), text);
  return whole;
};

/** A new element with text in it. Text never becomes markup. */
const make = (tag, text = "", className = "") => {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className) element.className = className;
  return element;
};
