// Opens what is folded where a link leads into it, and all of it to print. Everything else
// a browser does by itself: a click, a key, and (most of them) a search on the page.
(() => {
  "use strict";

  const folds = [...document.querySelectorAll("details.bb-fold")];

  // The folds around an element, or the one that its heading stands above.
  function ofElement(element) {
    const around = folds.filter((fold) => fold.contains(element));
    if (around.length > 0 || !/^H[1-6]$|^SECTION$/.test(element.tagName)) return around;
    const heading = element.matches("section") ? element.querySelector("h2") : element;
    const next = heading?.nextElementSibling;
    return folds.filter((fold) => fold === next);
  }

  function openTarget() {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (!target) return;
    const closed = ofElement(target).filter((fold) => !fold.open);
    for (const fold of closed) fold.open = true;
    if (closed.length > 0) target.scrollIntoView();
  }

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = folds.filter((fold) => !fold.open);
    for (const fold of opened) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of opened) fold.open = false;
  });
  addEventListener("hashchange", openTarget);
  openTarget();
})();
