/* Search and filters. Every page can be read without them. */
(() => {
  'use strict';
  const root = document.documentElement.dataset.root;

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

  /* Search: a combobox with a list of links. */
  const KINDS = {
    page: 'page',
    must: 'requirement',
    should: 'requirement',
    open: 'open point',
    check: 'check',
    defect: 'defect',
    variant: 'conforming variant',
  };
  const MOST = 12;
  const form = document.querySelector('form.search');
  const input = document.getElementById('site-search');
  const list = document.getElementById('site-results');
  const state = document.getElementById('site-search-state');
  let loading;
  let active = -1;

  /** The index comes with the first use, as a script: a page opened from a disk may not fetch. */
  const load = () =>
    (loading ??= new Promise((done) => {
      const script = document.createElement('script');
      script.src = `${root}assets/search-index.js`;
      script.onload = () => {
        const kinds = Object.keys(KINDS);
        done(
          window.siteIndex.map(([kind, name, text, target]) => ({
            kind,
            name,
            text,
            target,
            rank: kinds.indexOf(kind),
            inName: name.toLowerCase(),
            inAll: `${name} ${text}`.toLowerCase(),
          })),
        );
      };
      script.onerror = () => {
        loading = undefined;
        state.textContent = 'The search index could not be loaded.';
      };
      document.head.append(script);
    }));

  /**
   * Less is better: the name as sought, at its start, in it, in the text; then the kind. Servers of the proof are many, and
   * come after all else unless one is named.
   */
  const distance = (entry, sought, words) => {
    const place =
      entry.inName === sought
        ? 0
        : entry.inName.startsWith(sought)
          ? 1
          : words.every((word) => entry.inName.includes(word))
            ? 2
            : 3;
    const ofProof = place > 0 && (entry.kind === 'defect' || entry.kind === 'variant');
    return place * 10 + entry.rank + (ofProof ? 40 : 0);
  };

  const find = (entries, sought) => {
    const words = wordsOf(sought);
    if (words.length === 0) return [];
    return entries
      .filter(({ inAll }) => words.every((word) => inAll.includes(word)))
      .map((entry) => ({ entry, far: distance(entry, sought.trim().toLowerCase(), words) }))
      .sort((left, right) => left.far - right.far || left.entry.name.length - right.entry.name.length)
      .map(({ entry }) => entry);
  };

  const element = (name, text, className = '') => {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  };

  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
    active = -1;
  };

  const mark = (index) => {
    const options = [...list.children];
    if (options.length === 0) return;
    active = (index + options.length) % options.length;
    options.forEach((option, at) => option.setAttribute('aria-selected', String(at === active)));
    input.setAttribute('aria-activedescendant', options[active].id);
    options[active].scrollIntoView({ block: 'nearest' });
  };

  const show = async () => {
    const sought = input.value;
    if (sought.trim() === '') {
      close();
      state.textContent = '';
      return;
    }
    const found = find(await load(), sought);
    if (sought !== input.value) return;
    const shown = found.slice(0, MOST);
    list.replaceChildren(
      ...shown.map((entry, index) => {
        const option = document.createElement('li');
        option.id = `site-result-${index}`;
        option.setAttribute('role', 'option');
        option.setAttribute('aria-selected', 'false');
        option.dataset.target = entry.target;
        option.append(
          element('strong', entry.name),
          element('span', KINDS[entry.kind], 'kind'),
          element('span', entry.text.replaceAll('`', ''), 'said'),
        );
        return option;
      }),
    );
    list.hidden = shown.length === 0;
    input.setAttribute('aria-expanded', String(shown.length > 0));
    input.removeAttribute('aria-activedescendant');
    active = -1;
    state.textContent =
      found.length === 0
        ? 'Nothing found.'
        : found.length > MOST
          ? `${found.length} results, the first ${MOST} are listed.`
          : `${found.length} ${found.length === 1 ? 'result' : 'results'}.`;
  };

  const go = (option) => {
    if (!option) return;
    close();
    location.href = root + option.dataset.target;
  };

  form.hidden = false;
  input.addEventListener('focus', load, { once: true });
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') mark(active + 1);
    else if (event.key === 'ArrowUp') mark(active < 0 ? -1 : active - 1);
    else if (event.key === 'Escape' && !list.hidden) close();
    else return;
    event.preventDefault();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    go(list.children[Math.max(active, 0)]);
  });
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => go(event.target.closest('[role="option"]')));
  input.addEventListener('blur', close);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('input, select, textarea, [contenteditable]')) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
})();
