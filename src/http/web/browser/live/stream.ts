/**
 * The stream of updates for the page. htmx, which is loaded before this script, opens the stream, puts its content into the page, and
 * reopens it after a disconnection. The stream pauses while the page is hidden.
 */

/** Milliseconds to wait after the first failed attempt. The wait doubles with each further attempt, up to the limit. */
export const RETRY_MS = 1_000
export const RETRY_LIMIT_MS = 60_000
/** Minimum time between two reloads in milliseconds. It keeps a page that is out of date again at once from reloading in a loop. */
const RELOAD_EVERY_MS = 30_000

/** The element that receives the events of the stream; null if the page has no stream. */
export const source = document.querySelector<HTMLElement>('[hx-sse\\:connect]')

/** Time at which the stream was disconnected, in milliseconds since the UNIX epoch; null while it is open. */
let cutAt: number | null = Date.now()
let wasOpened = false
let wait = RETRY_MS

const isOpen = () => cutAt === null
export const brokenSince = () => cutAt

function open(): void {
  if (!document.hidden && !isOpen() && !wasOpened) source?.dispatchEvent(new Event('live'))
}

/** Time at which the reader followed a link to another page. A reload would cancel that navigation. */
let leftAt = 0
addEventListener('beforeunload', () => {
  leftAt = Date.now()
})

/** @returns whether the page will reload */
export function reload(): boolean {
  const last = Math.max(leftAt, Number(sessionStorage.getItem('reloaded')))
  if (Date.now() - last < RELOAD_EVERY_MS) return false
  sessionStorage.setItem('reloaded', String(Date.now()))
  location.reload()
  return true
}

/**
 * Whether a status is 401, 403 or 404. After a reload, the page then shows what is wrong. A proxy may send other statuses while the server
 * starts.
 */
function isRefusal(status: unknown): boolean {
  return typeof status === 'number' && status >= 401 && status <= 404
}

let refused = () => {}

/** @param listener called whenever the server refuses the stream to the reader */
export function onRefusal(listener: () => void): void {
  refused = listener
}

export function onStream(event: string, listener: (detail: { readonly data: string }) => void): void {
  source?.addEventListener(event, (given) => {
    if (given instanceof CustomEvent) listener(given.detail)
  })
}

source?.addEventListener('htmx:sse:after:connection', () => {
  cutAt = null
  wasOpened = true
  wait = RETRY_MS
})
// This event fires before every attempt, so the first one after a disconnection is the time of the disconnection.
source?.addEventListener('htmx:sse:before:connection', () => {
  if (wasOpened) cutAt ??= Date.now()
})
source?.addEventListener('htmx:sse:error', (event) => {
  cutAt ??= Date.now()
  if (event instanceof CustomEvent && isRefusal(event.detail.status)) refused()
})
source?.addEventListener('htmx:sse:close', () => {
  cutAt ??= Date.now()
  wasOpened = false
  setTimeout(open, wait)
})
// htmx does not retry if the first attempt fails.
source?.addEventListener('htmx:finally:request', (event) => {
  if (!(event instanceof CustomEvent) || event.target !== source || wasOpened) return
  if (isRefusal(event.detail.ctx.response?.status)) refused()
  setTimeout(open, wait)
  wait = Math.min(wait * 2, RETRY_LIMIT_MS)
})
document.addEventListener('visibilitychange', open)
document.addEventListener('DOMContentLoaded', () => setTimeout(open))
