/**
 * The page's update stream. htmx, which is loaded before this script, opens the stream, inserts its content into the page, and reopens the
 * stream after a disconnection. The stream pauses while the page is hidden.
 */

/** Delay after the first failed attempt, in milliseconds. The delay doubles with each further attempt, up to the limit. */
export const RETRY_MS = 1_000
export const RETRY_LIMIT_MS = 60_000
/** Minimum time between two reloads, in milliseconds. It prevents a reload loop if the page is outdated again right after a reload. */
const RELOAD_EVERY_MS = 30_000

/** The element that receives the stream's events; null if the page does not have a stream. */
export const source = document.querySelector<HTMLElement>('[hx-sse\\:connect]')

/** When the stream disconnected, in milliseconds since the UNIX epoch; null while it is open. */
let cutAt: number | null = Date.now()
let wasOpened = false
let wait = RETRY_MS

const isOpen = () => cutAt === null
export const brokenSince = () => cutAt

function open(): void {
  if (!document.hidden && !isOpen() && !wasOpened) source?.dispatchEvent(new Event('live'))
}

/** When the reader followed a link to another page. A reload would cancel that navigation. */
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
 * Returns whether the status is 401, 403 or 404. In these cases, reloading the page shows the reader what is wrong. A proxy may send
 * other statuses while the server is starting.
 */
function isRefusal(status: unknown): boolean {
  return typeof status === 'number' && status >= 401 && status <= 404
}

let refused = () => {}

/** @param listener called whenever the server denies the reader access to the stream */
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
// This event fires before every connection attempt, so its first occurrence after a disconnection marks when the stream was cut.
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
