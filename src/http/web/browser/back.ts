/**
 * Points a document's back link to the page that the reader came from, even after the reader has followed links through several documents.
 */

const NAME = 'came-from'
const link = document.querySelector<HTMLAnchorElement>('a[data-back]')

/** @returns a path on this server that is not a document; null if the reader came from elsewhere */
function pageBefore(documents: string): string | null {
  if (!URL.canParse(document.referrer)) return null
  const { origin, pathname, search } = new URL(document.referrer)
  const isDocument = pathname === documents || pathname.startsWith(`${documents}/`)
  return origin === location.origin && !isDocument ? pathname + search : null
}

if (link) {
  const before = pageBefore(link.dataset.back ?? '')
  if (before !== null) sessionStorage.setItem(NAME, before)
  const kept = sessionStorage.getItem(NAME)
  if (kept !== null) {
    link.href = kept
    link.textContent = 'Back to the previous page'
  }
}
