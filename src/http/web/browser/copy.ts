/**
 * Text with a button that copies it. Browsers allow access to the clipboard only over HTTPS and on localhost. On other origins there is no
 * button, and clicking the text selects it.
 */
import { announce } from './announce.ts'

const COPIED_MS = 2_000

function selectAll(element: HTMLElement): void {
  getSelection()?.selectAllChildren(element)
}

function addCopyButton(source: HTMLElement): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'btn small'
  button.textContent = 'Copy'
  const { key } = source.dataset
  if (key !== undefined) {
    button.dataset.key = key
    delete source.dataset.key
  }
  const name = source.getAttribute('aria-label')
  if (name !== null) button.setAttribute('aria-label', `Copy: ${name}`)
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent ?? '')
    } catch {
      selectAll(source)
      return
    }
    button.textContent = 'Copied'
    announce('Copied')
    setTimeout(() => {
      button.textContent = 'Copy'
    }, COPIED_MS)
  })
  const place = source.closest('.said')?.querySelector('[data-copy-place]')
  if (place) place.append(button)
  else source.after(button)
}

for (const source of document.querySelectorAll<HTMLElement>('[data-copy]')) {
  if (navigator.clipboard) addCopyButton(source)
  else source.addEventListener('click', () => selectAll(source))
  source.addEventListener('focus', () => selectAll(source))
}
