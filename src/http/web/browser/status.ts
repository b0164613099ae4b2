/** The script for status pages. It refetches the page every minute while the page is visible. */
import './times.ts'

const EVERY_MS = 60_000
const PART = 'status'

async function renew(): Promise<void> {
  if (document.hidden) return
  const old = document.getElementById(PART)
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById(PART)
  // Replacing the element would take the focus away from a link in it.
  if (old && fresh && !old.contains(document.activeElement)) old.replaceWith(fresh)
}

// If the connection is lost, the page keeps its content, including the time of the last update.
setInterval(() => renew().catch(() => {}), EVERY_MS)
