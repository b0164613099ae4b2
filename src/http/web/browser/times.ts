/** Keeps relative times up to date, and adds exact times in the zone of the reader's account to those of a list. */
import { exactWords, knownZone, type TimeKind, timeWords } from '../../../lib/time-words.ts'

/** Milliseconds between updates, so that texts that count seconds are no older. */
const EVERY_MS = 1_000
/** Number of times on a page above which updates are rarer, because they take a browser long. */
const MANY = 500
const MANY_EVERY_MS = 10_000
const TIMES = 'time[data-relative]'
/** Milliseconds between updates of a check's head, which shows its age. During a run, it is always current. */
const HEAD_EVERY_MS = 10_000
let headAt = Date.now()

const zone = knownZone(document.documentElement.dataset.tz)

/** @returns the number of times */
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

/** Extends the bar of a running job. */
function grow(bar: SVGElement, now: number): void {
  const { from, scale } = bar.dataset
  bar.querySelector('.rn')?.setAttribute('d', `M0 10H${Math.max(0, (now - Number(from)) * Number(scale))}`)
}

function goOnRewriting(): void {
  setTimeout(goOnRewriting, rewriteTimes() > MANY ? MANY_EVERY_MS : EVERY_MS)
}

/** Adds exact times to a row when a person points at it or focuses it: a list has thousands of times. */
function tellExactly({ target }: Event): void {
  if (!(target instanceof Element)) return
  for (const time of target.closest('#list tr')?.querySelectorAll('time') ?? []) {
    time.title = exactWords(Date.parse(time.dateTime), zone)
  }
}

document.addEventListener('pointerover', tellExactly)
document.addEventListener('focusin', tellExactly)
goOnRewriting()
