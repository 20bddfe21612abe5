// One tooltip that follows the pointer.

const tip = make("div", "", "tip");
tip.hidden = true;
tip.setAttribute("role", "status");

/** Shows text next to the pointer, with the image of a row if it has one. */
const showTip = (event, text, image = null) => {
  if (!tip.isConnected) document.body.append(tip);
  tip.textContent = text;
  if (image !== null) {
    const shown = document.querySelector(`.image.i${image}`);
    if (shown) tip.append(shown.cloneNode(false));
  }
  tip.hidden = false;
  const { innerWidth, scrollX, scrollY } = window;
  const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  tip.style.left = `${Math.max(4, left) + scrollX}px`;
  tip.style.top = `${event.clientY + 18 + scrollY}px`;
};

const hideTip = () => {
  tip.hidden = true;
};
