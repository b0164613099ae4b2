/** Keeps relative times up to date, and gives each its exact time in the reader's zone. */
import { exactWords, relativeWords } from './words.ts'

const EVERY_MS = 10_000

function rewriteTimes(): void {
  const now = Date.now()
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
    const at = Date.parse(time.dateTime)
    if (Number.isNaN(at)) continue
    const words = relativeWords(at, now, undefined)
    if (time.textContent !== words) time.textContent = words
    const exact = exactWords(at, undefined)
    if (time.title !== exact) time.title = exact
  }
}

rewriteTimes()
setInterval(rewriteTimes, EVERY_MS)
