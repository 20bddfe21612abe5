// One tooltip that follows the pointer.

const tip = make("div", "", "tip");
tip.hidden = true;
tip.setAttribute("role", "status");

/** An image of the page: one that is shown elsewhere, one of its own, or a part of a sheet of thumbnails. */
const tipImage = (image, sheet, place) => {
  const shown = document.querySelector(`.image.i${image}`);
  if (shown && !sheet) return shown.cloneNode(false);
  const own = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  own.setAttribute("class", `image i${image}`);
  own.setAttribute("viewBox", sheet ? `0 0 ${sheet.width} ${sheet.height}` : "0 0 1 1");
  if (!sheet) own.style.backgroundSize = "contain";
  else {
    const part = (at, number) => `${number > 1 ? (100 * at) / (number - 1) : 0}%`;
    own.style.backgroundSize = `${100 * sheet.columns}% ${100 * sheet.rows}%`;
    own.style.backgroundPosition = `${part(place % sheet.columns, sheet.columns)} ${part(Math.floor(place / sheet.columns), sheet.rows)}`;
  }
  return own;
};

/** Shows text next to the pointer, with an image if there is one. */
const showTip = (event, text, image = null) => {
  if (!tip.isConnected) document.body.append(tip);
  tip.textContent = text;
  if (image !== null) tip.append(typeof image === "number" ? tipImage(image) : image);
  tip.hidden = false;
  const { innerWidth, scrollX, scrollY } = window;
  const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  tip.style.left = `${Math.max(4, left) + scrollX}px`;
  tip.style.top = `${event.clientY + 18 + scrollY}px`;
};

const hideTip = () => {
  tip.hidden = true;
};
