/* Filters and folds. Every page can be read without them. */
(() => {
  'use strict';
  /* From a disk a browser loads no modules, so the page is as without scripts. */
  if (location.protocol === 'file:') {
    const style = document.createElement('link');
    style.rel = 'stylesheet';
    style.href = document.currentScript.src.replace(/site\.js$/, 'no-script.css');
    document.head.append(style);
  }

  /** The words of a text, in lower case. */
  const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

  /* Filters: items that do not fit are hidden, and groups without items. */
  for (const form of document.querySelectorAll('form[data-filter]')) {
    const target = document.getElementById(form.dataset.filter);
    const items = [...target.querySelectorAll('[data-item]')];
    const groups = [...target.querySelectorAll('[data-group]')];
    const texts = new Map(items.map((item) => [item, item.textContent.toLowerCase()]));
    const state = form.querySelector('[role="status"]');

    const apply = () => {
      const choices = [...new FormData(form)].filter(([name, value]) => name !== 'text' && value !== '');
      const words = wordsOf(form.elements.text.value);
      let left = 0;
      for (const item of items) {
        const fits =
          choices.every(([name, value]) => item.dataset[name] === value) &&
          words.every((word) => texts.get(item).includes(word));
        item.hidden = !fits;
        if (fits) left += 1;
      }
      const filtered = choices.length + words.length > 0;
      for (const group of groups) {
        group.hidden = filtered && !group.querySelector('[data-item]:not([hidden])');
        if (group.matches('details')) group.open = filtered;
        for (const fold of group.querySelectorAll('details')) {
          fold.open = words.length > 0 && fold.querySelector('[data-item]:not([hidden])') !== null;
        }
      }
      state.textContent = filtered ? `${left} of ${items.length} shown` : '';
    };

    form.hidden = false;
    form.addEventListener('input', apply);
    form.addEventListener('submit', (event) => event.preventDefault());
    // What a link leads to must be seen, whatever the filter says.
    window.addEventListener('hashchange', () => {
      const sought = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!sought || !target.contains(sought) || !sought.closest('[hidden]')) return;
      form.reset();
      apply();
      sought.scrollIntoView();
    });
  }

  /* What is folded opens for a link that leads into it. */
  const unfold = () => {
    const sought = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    let opened = false;
    for (let fold = sought?.closest('details'); fold; fold = fold.parentElement.closest('details')) {
      opened ||= !fold.open;
      fold.open = true;
    }
    if (opened) sought.scrollIntoView();
  };
  window.addEventListener('hashchange', unfold);
  unfold();
})();
