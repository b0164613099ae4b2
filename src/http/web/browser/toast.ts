/** Removes the toast after a few seconds, but not while the reader points at it or has the focus in it. */

const SHOWN_MS = 6_000

function showFor(toast: HTMLElement): void {
  let timer = 0
  const start = () => {
    timer = window.setTimeout(() => toast.remove(), SHOWN_MS)
  }
  const stop = () => clearTimeout(timer)
  for (const event of ['pointerenter', 'focusin']) toast.addEventListener(event, stop)
  for (const event of ['pointerleave', 'focusout']) toast.addEventListener(event, start)
  start()
}

for (const toast of document.querySelectorAll<HTMLElement>('[data-toast]')) showFor(toast)

if (document.querySelector('[data-told]')) {
  // The toast must not appear again when the page is reloaded.
  const address = new URL(location.href)
  for (const [name] of [...address.searchParams]) if (/^(done|undo)/.test(name)) address.searchParams.delete(name)
  history.replaceState(history.state, '', address)
}
