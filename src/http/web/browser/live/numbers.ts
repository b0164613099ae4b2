/**
 * Shows the number of checks that are down in the title, the icon and the menu, even in hidden tabs. Hidden tabs share one small stream:
 * one tab opens the stream and informs the others. The menu also shows the number of alerts that are waiting or have failed, and the number
 * of checks that have advice. A hidden tab updates the last two numbers when it becomes visible again.
 */
import { onStream, RETRY_LIMIT_MS, RETRY_MS, source } from './stream.ts'

interface Down {
  /** total number of down checks in all projects that the reader is allowed to see */
  readonly all: number
  /** number of down checks in each project, by the project's slug */
  readonly projects: Readonly<Record<string, number>>
}

const PLACE = /\/p\/([^/]+)/
const NAME = 'overdue-numbers'
const tabs = new BroadcastChannel(NAME)
const title = document.title.replace(/^\(\d+\) /, '')

function show({ all, projects }: Down): void {
  document.title = all > 0 ? `(${all}) ${title}` : title
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  const file = all > 0 ? 'favicon-down.svg' : 'favicon.svg'
  if (icon && !icon.href.endsWith(`/${file}`)) icon.href = icon.href.replace(/favicon(-down)?\.svg$/, file)
  showTallies('down', projects)
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.switcher li > a')) {
    const down = numberAt(link, projects)
    if (down !== undefined) showInSwitcher(link, down)
  }
}

/** @param numbers the displayed number for each project, by slug */
function showTallies(
  name: 'down' | 'undelivered' | 'advised',
  numbers: Readonly<Record<string, number | string>>,
): void {
  for (const tally of document.querySelectorAll<HTMLElement>(`[data-tally="${name}"]`)) {
    const words = numberAt(tally.closest('a'), numbers)
    if (words === undefined) continue
    tally.hidden = String(words) === '0'
    const number = tally.querySelector('b')
    if (number) number.textContent = String(words)
  }
}

function numberAt<N>(link: HTMLAnchorElement | null, projects: Readonly<Record<string, N>>): N | undefined {
  const slug = PLACE.exec(link?.pathname ?? '')?.[1]
  return slug === undefined ? undefined : projects[decodeURIComponent(slug)]
}

function showInSwitcher(link: HTMLAnchorElement, down: number): void {
  const words = link.querySelector('small') ?? document.createElement('small')
  words.className = 'end'
  words.textContent = `${down} down`
  if (down === 0) words.remove()
  else link.append(words)
}

function take(data: string): void {
  const down: Down = JSON.parse(data)
  show(down)
  tabs.postMessage(down)
}

/** Opens the stream. The browser reopens a stream after a lost connection, but not after an error response. */
function listen(address: string, shown: AbortSignal, wait = RETRY_MS): void {
  if (shown.aborted) return
  let next = wait
  const stream = new EventSource(address)
  shown.addEventListener('abort', () => stream.close())
  stream.addEventListener('down', ({ data }) => take(data))
  stream.addEventListener('open', () => {
    next = RETRY_MS
  })
  stream.addEventListener('error', () => {
    if (stream.readyState !== EventSource.CLOSED) return
    setTimeout(() => listen(address, shown, Math.min(next * 2, RETRY_LIMIT_MS)), next)
  })
}

/** Keeps the other hidden tabs up to date until this tab becomes visible again. */
function leadWhileHidden(address: string): void {
  const shown = new AbortController()
  const whenShown = () => {
    if (!document.hidden) shown.abort()
  }
  document.addEventListener('visibilitychange', whenShown, { signal: shown.signal })
  navigator.locks
    ?.request(NAME, { signal: shown.signal }, async () => {
      listen(address, shown.signal)
      await new Promise((resolve) => shown.signal.addEventListener('abort', resolve))
    })
    .catch(() => {})
}

if (source) {
  onStream('down', ({ data }) => take(data))
  onStream('undelivered', ({ data }) => showTallies('undelivered', JSON.parse(data)))
  onStream('advised', ({ data }) => showTallies('advised', JSON.parse(data)))
  tabs.addEventListener('message', ({ data }) => show(data))
  const address = source.dataset.numbers ?? ''
  const watch = () => {
    if (document.hidden) leadWhileHidden(address)
  }
  document.addEventListener('visibilitychange', watch)
  watch()
}
