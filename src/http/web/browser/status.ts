/** The script of status pages. It fetches the page again each minute while the page is visible. */
import './times.ts'

const EVERY_MS = 60_000
const PART = 'status'

async function renew(): Promise<void> {
  if (document.hidden) return
  const old = document.getElementById(PART)
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById(PART)
  // Keeps a focused link in place.
  if (old && fresh && !old.contains(document.activeElement)) old.replaceWith(fresh)
}

// Without a connection, the page keeps its content and its time.
setInterval(() => renew().catch(() => {}), EVERY_MS)
