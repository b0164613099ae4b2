/** Opens dialogs, and closes them in browsers that don't support `command`. */

export function openDialog(id: string): boolean {
  const dialog = document.getElementById(id)
  if (!(dialog instanceof HTMLDialogElement)) return false
  if (!dialog.open) dialog.showModal()
  return true
}

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  const closer = target.closest<HTMLElement>('button[command="close"]')
  if (closer && !('commandForElement' in closer)) {
    const dialog = document.getElementById(closer.getAttribute('commandfor') ?? '')
    if (dialog instanceof HTMLDialogElement) dialog.close()
  }
})

/** Clicking outside an open menu closes the menu. */
document.addEventListener('pointerdown', ({ target }) => {
  for (const open of document.querySelectorAll<HTMLDetailsElement>(
    'details:is(.switcher, .menu, .more-tabs, .drop)[open]',
  )) {
    if (target instanceof Node && !open.contains(target)) open.open = false
  }
})
