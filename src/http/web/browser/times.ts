/** Keeps relative times up to date. In lists, also adds the exact times, in the time zone from the reader's account. */
import { exactWords, knownZone, type TimeKind, timeWords } from '../../../lib/time-words.ts'

/** Time between updates, in milliseconds. Some displayed times include seconds. */
const EVERY_MS = 1_000
/** Number of relative times above which a page updates them less often, because updating all of them takes too long. */
const MANY = 500
const MANY_EVERY_MS = 10_000
const TIMES = 'time[data-relative]'
/**
 * Time between updates of a check's heading, in milliseconds. The heading shows how old the status is. While a job is running, the heading
 * is included in every update.
 */
const HEAD_EVERY_MS = 10_000
let headAt = Date.now()

const zone = knownZone(document.documentElement.dataset.tz)

/**
 * Updates all relative times on the page.
 * @returns the number of relative times
 */
export function rewriteTimes(): number {
  const now = Date.now()
  const times = document.querySelectorAll<HTMLTimeElement>(TIMES)
  const head = document.getElementById('now')
  const bar = head?.querySelector<SVGElement>('.bar-of svg')
  if (bar) grow(bar, now)
  const waits = !bar && now - headAt < HEAD_EVERY_MS
  if (!waits) headAt = now
  for (const time of times) {
    if (waits && head?.contains(time)) continue
    const kind = (time.dataset.relative || 'ago') as TimeKind
    const words = timeWords(kind, Date.parse(time.dateTime), now, zone)
    if (time.textContent !== words) time.textContent = words
  }
  return times.length
}

/** Extends a running job's bar. */
function grow(bar: SVGElement, now: number): void {
  const { from, scale } = bar.dataset
  bar.querySelector('.rn')?.setAttribute('d', `M0 10H${Math.max(0, (now - Number(from)) * Number(scale))}`)
}

function goOnRewriting(): void {
  setTimeout(goOnRewriting, rewriteTimes() > MANY ? MANY_EVERY_MS : EVERY_MS)
}

/** Adds the exact times to a row when the reader points at it or focuses it. A list contains too many times to do this for every row. */
function tellExactly({ target }: Event): void {
  if (!(target instanceof Element)) return
  for (const time of target.closest('#list tr')?.querySelectorAll('time') ?? []) {
    time.title = exactWords(Date.parse(time.dateTime), zone)
  }
}

document.addEventListener('pointerover', tellExactly)
document.addEventListener('focusin', tellExactly)
goOnRewriting()
