/**
 * Filters the list while the reader types into the search field. After a pause in typing, fetches the filtered list and updates the page's
 * URL.
 */

const PAUSE_MS = 150
/** Parts of the page that depend on the filter: the list, and the links and fields that contain the filter. */
const PARTS = ['#found', '#sentence', '#filters > .chips', '#filters .drop', '#filters > [type="hidden"]']

let pause = 0
/** The page's URL before the reader typed anything. */
const before = location.href
let fetching: AbortController | null = null

function addressOf(form: HTMLFormElement): URL {
  const address = new URL(form.action)
  for (const [name, value] of new FormData(form)) if (value !== '') address.searchParams.append(name, String(value))
  return address
}

async function filter(form: HTMLFormElement): Promise<void> {
  fetching?.abort()
  fetching = new AbortController()
  const address = addressOf(form)
  const found = document.getElementById('found')
  found?.setAttribute('aria-busy', 'true')
  try {
    const answer = await fetch(address, { signal: fetching.signal, headers: { accept: 'text/html' } })
    if (!answer.ok || answer.redirected) return location.assign(address)
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    for (const part of PARTS) {
      const fresh = page.querySelectorAll(part)
      document.querySelectorAll(part).forEach((old, index) => {
        const successor = fresh[index]
        if (successor) old.replaceWith(successor)
      })
    }
    history.replaceState(history.state, '', address)
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) location.assign(address)
  } finally {
    document.getElementById('found')?.removeAttribute('aria-busy')
  }
}

document.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== 'q' || target.form?.id !== 'filters') return
  const { form } = target
  clearTimeout(pause)
  pause = window.setTimeout(() => filter(form), PAUSE_MS)
})
/** When the reader presses Enter, restores the original URL, because the form adds its own history entry. */
document.addEventListener('submit', ({ target }) => {
  clearTimeout(pause)
  if (target instanceof HTMLFormElement && target.id === 'filters') history.replaceState(history.state, '', before)
})
