// Adds to a report what works without it: buttons that copy a command, and a box that opens and closes all folds.
/* global document, getSelection, navigator */
for (const button of document.querySelectorAll('.copy')) {
  const command = button.previousElementSibling;
  button.hidden = false;
  button.addEventListener('click', async () => {
    // Where a page may not copy, the command is selected.
    getSelection().selectAllChildren(command);
    await navigator.clipboard?.writeText(command.textContent);
    if (navigator.clipboard) button.textContent = 'Copied';
  });
}
document.documentElement.classList.add('scripted');
document.getElementById('open-all')?.addEventListener('change', ({ target }) => {
  for (const fold of document.querySelectorAll('main details')) fold.open = target.checked;
});
