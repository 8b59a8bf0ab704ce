/* The only script of the page: a text search over findings and requirements, and buttons that copy. Without it, everything else is there. */
addEventListener('DOMContentLoaded', () => {
  const field = document.getElementById('search');
  const entries = [...document.querySelectorAll('.finding, .entry')];
  if (field && entries.length > 0) field.parentElement.hidden = false;
  field?.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const each of entries) {
      const text = each.textContent.toLowerCase();
      each.hidden = !words.every((word) => text.includes(word));
    }
  });
  for (const button of document.querySelectorAll('.copy')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const text = button.previousElementSibling;
      try {
        await navigator.clipboard.writeText(text.textContent);
        button.textContent = 'Copied';
      } catch {
        // Not permitted: select it, so that one key copies it.
        getSelection().selectAllChildren(text);
        button.textContent = 'Selected';
      }
    });
  }
});
