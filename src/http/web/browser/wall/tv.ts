/**
 * `/tv/#<key>=<title>&<key>=<title>&theme=dark`: fetches one section for each key. The script sends keys only in a header, so that they
 * don't appear in server or proxy logs.
 */
import { clockWords } from '../../../../lib/time-words.ts'
import { rewriteTimes } from '../times.ts'

const EVERY_MS = 4_000
/** Time between two fetches, in milliseconds per panel. The server limits the number of requests from one address. */
const EVERY_MS_PER_PANEL = 1_000
const AFTER_FAILURE_MS = 10_000
/** Request timeout, in milliseconds. */
const PATIENCE_MS = 15_000
const THEMES = ['dark', 'light']

interface Panel {
  readonly key: string
  readonly title: string
  readonly section: HTMLElement
  etag: string
  /** when the first request failed, in milliseconds since the UNIX epoch; null while requests succeed */
  brokenSince: number | null
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const main = document.querySelector<HTMLElement>('[data-part]')
const live = document.getElementById('live')
const panels: Panel[] = []

function readAddress(): void {
  const given = [...new URLSearchParams(location.hash.slice(1))]
  for (const [name, value] of given) {
    if (name !== 'theme') panels.push(panelOf(name, value))
    else if (THEMES.includes(value)) document.documentElement.dataset.theme = value
  }
  if (panels.length > 0) document.getElementById('tv-help')?.remove()
}

function panelOf(key: string, title: string): Panel {
  const section = document.createElement('section')
  main?.append(section)
  return { key, title, section, etag: '', brokenSince: null }
}

function say(panel: Panel, words: string): void {
  const line = document.createElement('p')
  line.className = 'wall-more'
  line.textContent = panel.title === '' ? words : `${panel.title}: ${words}`
  panel.section.replaceChildren(line)
  panel.etag = ''
}

/** @returns milliseconds until the next request */
async function ask(panel: Panel): Promise<number> {
  const answer = await fetch(`${main?.dataset.part}?tz=${encodeURIComponent(zone)}`, {
    headers: { 'X-Api-Key': panel.key, ...(panel.etag === '' ? {} : { 'If-None-Match': panel.etag }) },
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  if (answer.status === 401) {
    say(panel, 'This API key is unknown or has been revoked.')
    panel.brokenSince = null
    return AFTER_FAILURE_MS
  }
  if (answer.status === 200) {
    panel.section.innerHTML = await answer.text()
    panel.etag = answer.headers.get('etag') ?? ''
    const title = panel.section.querySelector('h2 > span')
    if (title && panel.title !== '') title.textContent = panel.title
    rewriteTimes()
  } else if (answer.status !== 304) {
    throw new Error(`HTTP ${answer.status}`)
  }
  panel.brokenSince = null
  return Math.max(EVERY_MS, panels.length * EVERY_MS_PER_PANEL)
}

async function follow(panel: Panel): Promise<void> {
  const pause = await ask(panel).catch(() => {
    panel.brokenSince ??= Date.now()
    return AFTER_FAILURE_MS
  })
  tell()
  setTimeout(() => follow(panel), pause)
}

function tell(): void {
  const since = panels.flatMap(({ brokenSince }) => brokenSince ?? [])
  const isBroken = since.length > 0
  const words = isBroken ? `Reconnecting, shown as of ${clockWords(Math.min(...since), Date.now(), undefined)}` : 'Live'
  if (live && live.textContent !== words) {
    live.hidden = false
    live.className = isBroken ? 'live off' : 'live'
    live.textContent = words
  }
  const numbers = Array.from(document.querySelectorAll('.big-n.down b'), ({ textContent }) => Number(textContent))
  const down = numbers.reduce((sum, number) => sum + number, 0)
  document.title = document.title.replace(/^(\(\d+\) )?/, down > 0 ? `(${down}) ` : '')
}

if (main) {
  readAddress()
  for (const panel of panels) follow(panel)
  addEventListener('hashchange', () => location.reload())
}
