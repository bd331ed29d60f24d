// What scrolls sideways can be reached and scrolled by keys, in every browser.
(() => {
  "use strict";

  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  const boxes = ".bb-table, .bb-chart, .plain-table, pre, table";
  for (const box of document.querySelectorAll(`main :is(${boxes})`)) sizes.observe(box);
})();
