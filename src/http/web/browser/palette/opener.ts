/** Opens the palette on Ctrl+K or ⌘+K, and when the reader clicks a link to the search. The palette's script is loaded on first use. */
import { noteVisit } from './visited.ts'

const dialog = document.querySelector<HTMLDialogElement>('#palette')
const hasShortcuts = document.documentElement.dataset.shortcuts !== undefined

function openPalette(): void {
  if (!dialog || dialog.open) return
  const { script } = dialog.dataset
  if (script) {
    const element = document.createElement('script')
    element.src = script
    document.head.append(element)
    delete dialog.dataset.script
  }
  dialog.showModal()
  dialog.dispatchEvent(new Event('opened'))
}

noteVisit()

const hint = document.querySelector('.finder kbd')
if (hint && /Mac|iP/.test(navigator.platform)) hint.textContent = '⌘ K'

document.addEventListener('keydown', (event) => {
  const { ctrlKey: ctrl, metaKey: meta, altKey, shiftKey, key } = event
  if (!hasShortcuts || !dialog || ctrl === meta || altKey || shiftKey || key.toLowerCase() !== 'k') return
  event.preventDefault()
  openPalette()
})

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('[data-palette]')
  if (!link || !dialog || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  link.closest('dialog')?.close()
  openPalette()
})
