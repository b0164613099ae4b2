/** Keeps relative times up to date, and gives those of a list their exact time in the zone of the reader's account. */
import { exactWords, knownZone, type TimeKind, timeWords } from '../../../lib/time-words.ts'

/** Words that count seconds are as old at most. */
const EVERY_MS = 1_000
/** So many times take a browser long. */
const MANY = 500
const MANY_EVERY_MS = 10_000
const TIMES = 'time[data-relative]'
/** The head of a check says as of when it is. While a run goes on, that is now. */
const HEAD_EVERY_MS = 10_000
let headAt = Date.now()

const zone = knownZone(document.documentElement.dataset.tz)

/** @returns how many times there are */
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

/** The bar of a run that goes on. */
function grow(bar: SVGElement, now: number): void {
  const { from, scale } = bar.dataset
  bar.querySelector('.rn')?.setAttribute('d', `M0 10H${Math.max(0, (now - Number(from)) * Number(scale))}`)
}

function goOnRewriting(): void {
  setTimeout(goOnRewriting, rewriteTimes() > MANY ? MANY_EVERY_MS : EVERY_MS)
}

/** A list has thousands of times, so those of a row get their exact words when somebody comes near. */
function tellExactly({ target }: Event): void {
  if (!(target instanceof Element)) return
  for (const time of target.closest('#list tr')?.querySelectorAll('time') ?? []) {
    time.title = exactWords(Date.parse(time.dateTime), zone)
  }
}

document.addEventListener('pointerover', tellExactly)
document.addEventListener('focusin', tellExactly)
goOnRewriting()
