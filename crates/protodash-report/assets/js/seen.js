// What is out of sight is drawn when it comes into sight.

/** Calls `update` with the newest state, at once if the element can be seen, else when it can. */
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
  addEventListener("beforeprint", () => {
    if (waiting !== null) update(waiting);
    waiting = null;
  });
  return (state) => {
    waiting = state;
    draw();
  };
};
