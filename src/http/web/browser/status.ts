/** The script of status pages. It asks for the page again each minute while somebody looks at it. */
import './times.ts'

const EVERY_MS = 60_000
const PART = 'status'

async function renew(): Promise<void> {
  if (document.hidden) return
  const old = document.getElementById(PART)
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById(PART)
  // Whoever stands on a link stays there.
  if (old && fresh && !old.contains(document.activeElement)) old.replaceWith(fresh)
}

// Without a connection the page stays as it is, and says as of when that is.
setInterval(() => renew().catch(() => {}), EVERY_MS)
