/** Keeps relative times up to date, and gives each its exact time in the zone of the reader's account. */
import { exactWords, knownZone, type TimeKind, timeWords } from './words.ts'

const EVERY_MS = 10_000

const zone = knownZone(document.documentElement.dataset.tz)

function rewriteTimes(): void {
  const now = Date.now()
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
    const at = Date.parse(time.dateTime)
    if (Number.isNaN(at)) continue
    const kind = (time.dataset.relative || 'ago') as TimeKind
    const words = timeWords(kind, at, now, zone)
    if (time.textContent !== words) time.textContent = words
    const exact = exactWords(at, zone)
    if (time.title !== exact) time.title = exact
  }
}

rewriteTimes()
setInterval(rewriteTimes, EVERY_MS)
