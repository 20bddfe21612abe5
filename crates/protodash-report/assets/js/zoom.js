// Zooming and panning a drawing: wheel, drag, buttons and keys.

const MOST_ZOOM = 32;

/** `draw` is called with the visible part, at most once per frame: a point is at ((x - left) * scale, (y - top) * scale). */
const setUpZoom = (plane, draw) => {
  const { width, height } = plane.viewBox.baseVal;
  const part = { scale: 1, left: 0, top: 0 };
  const [zoomIn, zoomOut, reset] = ["map-in", "map-out", "map-reset"].map(byId);
  const within = (value, most) => Math.max(0, Math.min(most, value));
  let waiting = false;
  const update = () => {
    part.left = within(part.left, width - width / part.scale);
    part.top = within(part.top, height - height / part.scale);
    plane.classList.toggle("zoomed", part.scale > 1);
    zoomIn.disabled = part.scale >= MOST_ZOOM;
    zoomOut.disabled = reset.disabled = part.scale <= 1;
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw(part);
    });
  };
  /** A position of the pointer in units of the drawing. */
  const place = (event) => {
    const box = plane.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
  };
  /** What is at this place stays there. */
  const zoom = (factor, [x, y] = [width / 2, height / 2]) => {
    const scale = Math.max(1, Math.min(MOST_ZOOM, part.scale * factor));
    part.left += x / part.scale - x / scale;
    part.top += y / part.scale - y / scale;
    part.scale = scale;
    update();
  };
  const move = (x, y) => {
    part.left += x / part.scale;
    part.top += y / part.scale;
    update();
  };

  zoomIn.addEventListener("click", () => zoom(1.6));
  zoomOut.addEventListener("click", () => zoom(1 / 1.6));
  reset.addEventListener("click", () => zoom(0));
  // The page scrolls past a map that nobody has clicked or zoomed.
  plane.addEventListener(
    "wheel",
    (event) => {
      const wanted = event.ctrlKey || event.metaKey || part.scale > 1 || plane.contains(document.activeElement);
      if (!wanted || (part.scale === 1 && event.deltaY >= 0)) return;
      event.preventDefault();
      hideTip();
      zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)), place(event));
    },
    { passive: false },
  );

  let from = null;
  let moved = false;
  plane.addEventListener("pointerdown", (event) => {
    moved = false;
    if (event.button === 0 && part.scale > 1) from = place(event);
  });
  plane.addEventListener("pointermove", (event) => {
    if (!from || !event.buttons) return;
    const now = place(event);
    const [x, y] = [from[0] - now[0], from[1] - now[1]];
    if (!moved && Math.hypot(x, y) < 5) return;
    moved = true;
    plane.setPointerCapture(event.pointerId);
    from = now;
    hideTip();
    move(x, y);
  });
  for (const end of ["pointerup", "pointercancel"]) plane.addEventListener(end, () => (from = null));
  // The end of a drag is no click on what happens to be there.
  plane.addEventListener("click", (event) => moved && event.stopPropagation(), true);

  const KEYS = {
    "+": () => zoom(1.6),
    "=": () => zoom(1.6),
    "-": () => zoom(1 / 1.6),
    0: () => zoom(0),
    ArrowLeft: () => move(-60, 0),
    ArrowRight: () => move(60, 0),
    ArrowUp: () => move(0, -60),
    ArrowDown: () => move(0, 60),
  };
  plane.setAttribute("tabindex", "0");
  plane.addEventListener("keydown", (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? null : KEYS[event.key];
    if (!act || (event.key.startsWith("Arrow") && part.scale === 1)) return;
    event.preventDefault();
    act();
  });
  return { part, place };
};
