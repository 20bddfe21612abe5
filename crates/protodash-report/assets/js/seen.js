// Postpones drawing until an element is visible.

/** Calls `update` with the latest state, now if the element is visible, otherwise once it is. */
const whenSeen = (element, update) => {
  if (!element) return () => {};
  let seen = false;
  let waiting = null;
  const draw = () => {
    if (!seen || waiting === null) return;
    update(waiting);
    waiting = null;
  };
  new IntersectionObserver((entries) => {
    seen = entries[entries.length - 1].isIntersecting;
    draw();
  }, { rootMargin: "200px" }).observe(element);
  const drawNow = () => {
    if (waiting !== null) update(waiting);
    waiting = null;
  };
  addEventListener("beforeprint", drawNow);
  postponed.push(drawNow);
  return (state) => {
    waiting = state;
    draw();
  };
};
