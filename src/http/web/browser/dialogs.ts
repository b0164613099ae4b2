/** Opens dialogs, and closes them where the browser doesn't know `command`. */

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

/** Closes open menus on a click elsewhere. */
document.addEventListener('pointerdown', ({ target }) => {
  for (const open of document.querySelectorAll<HTMLDetailsElement>(
    'details:is(.switcher, .menu, .more-tabs, .drop)[open]',
  )) {
    if (target instanceof Node && !open.contains(target)) open.open = false
  }
})
