/** The only script of the page: it offers a text search over the findings. Without it, everything but the search is there. */
export const SEARCH = `addEventListener('DOMContentLoaded', () => {
  const field = document.getElementById('search');
  if (!field) return;
  const findings = [...document.querySelectorAll('.finding')];
  field.parentElement.hidden = false;
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\\s+/);
    for (const each of findings) {
      const text = each.textContent.toLowerCase();
      each.hidden = !words.every((word) => text.includes(word));
    }
  });
});
`;
