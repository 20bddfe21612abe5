// Number formats, the same as in the Rust code.

/** A count with thousands separators; fast, since a moving slider writes a thousand of them. */
const count = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

/** A number with four significant digits. */
const short = (value) => {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e6) return value.toExponential(2).replace("e+", "e");
  const digits = Math.max(0, 3 - Math.floor(Math.log10(size)));
  return String(Number(value.toFixed(digits)));
};

/** A fraction as a percentage that never rounds to 0 or 100. */
const percent = (part) => {
  const value = 100 * part;
  for (let digits = 1; digits <= 6; digits += 1) {
    const text = value.toFixed(digits);
    const rounded = Number(text);
    if ((rounded !== 0 || value === 0) && (rounded !== 100 || value === 100)) return `${text}\u00a0%`;
  }
  return `${value.toFixed(1)}\u00a0%`;
};

/** A fraction as a percentage, without a trailing zero. */
const wholePercent = (part) => `${Number((100 * part).toFixed(1))}\u00a0%`;

const plural = (number, noun) => (number === 1 ? `1 ${noun}` : `${count(number)} ${noun}s`);
