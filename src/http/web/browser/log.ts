/** Keeps the log's scroll position while the reader opens and closes pings next to it, although each ping is a separate page. */

const KEY = 'log-place'

const list = document.getElementById('log-list')
const place = list?.dataset.place ?? null
/** Returns whether the list is visible. On a phone, an open ping hides the list. */
const isSeen = () => list !== null && list.getClientRects().length > 0

/** Stores the value, unless the browser blocks storage. */
function keep(value: string): void {
  try {
    sessionStorage.setItem(KEY, value)
  } catch {}
}

function kept(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

document.addEventListener('click', ({ target }) => {
  if (place === null || !isSeen() || !(target instanceof Element)) return
  if (target.closest('#log a, #ping a')) keep(`${scrollY} ${place}`)
})

const [scrolled, ...words] = ((place === null ? null : kept()) ?? '').split(' ')
if (place !== null && isSeen() && words.join(' ') === place) scrollTo(0, Number(scrolled))
