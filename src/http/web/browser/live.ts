/** Reloads a page that waits for something, when the server says that it has happened. */

for (const waiting of document.querySelectorAll<HTMLElement>('[data-live]')) {
  const stream = new EventSource(waiting.dataset.live ?? '')
  stream.addEventListener('reload', () => {
    stream.close()
    location.reload()
  })
}
