/** Opens dialogs from links to their pages, and closes them where the browser doesn't know `command`. */

export function openDialog(id: string): boolean {
  const dialog = document.getElementById(id)
  if (!(dialog instanceof HTMLDialogElement)) return false
  if (!dialog.open) dialog.showModal()
  return true
}

document.addEventListener('click', (event) => {
  if (!(event.target instanceof Element) || event.defaultPrevented) return
  const opener = event.target.closest<HTMLElement>('[data-dialog]')
  // With a modifier the reader wants the page.
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
  if (opener && isPlain && openDialog(opener.dataset.dialog ?? '')) event.preventDefault()
  const closer = event.target.closest<HTMLElement>('button[command="close"]')
  if (closer && !('commandForElement' in closer)) {
    const dialog = document.getElementById(closer.getAttribute('commandfor') ?? '')
    if (dialog instanceof HTMLDialogElement) dialog.close()
  }
})

/** Menus that a click elsewhere closes. */
document.addEventListener('pointerdown', ({ target }) => {
  for (const open of document.querySelectorAll<HTMLDetailsElement>('details.switcher[open]')) {
    if (target instanceof Node && !open.contains(target)) open.open = false
  }
})
