/** Reloads a page that waits for something, when the server says that it has happened. */

const RETRY_MS = 5_000

function wait(address: string): void {
  const stream = new EventSource(address)
  stream.addEventListener('reload', () => {
    stream.close()
    location.reload()
  })
  stream.addEventListener('error', async () => {
    // After a lost connection the browser tries again by itself; after a refusal it doesn't.
    if (stream.readyState !== EventSource.CLOSED) return
    if (await isRefused()) location.reload()
    else setTimeout(() => wait(address), RETRY_MS)
  })
}

/** Whether this page is for its reader no more. A proxy may also refuse while the server starts: then the page stays. */
async function isRefused(): Promise<boolean> {
  try {
    const { status, redirected } = await fetch(location.href, { method: 'HEAD' })
    return redirected || (status >= 400 && status < 500)
  } catch {
    return false
  }
}

for (const waiting of document.querySelectorAll<HTMLElement>('[data-live]')) wait(waiting.dataset.live ?? '')
