/** Shows the time of day on a wall display, in the time zone from the reader's account. */
import { clockWords, knownZone } from '../../../../lib/time-words.ts'

const EVERY_MS = 1_000

const zone = knownZone(document.documentElement.dataset.tz)
const place = document.querySelector('[data-clock]')

function tell(): void {
  const words = clockWords(Date.now(), Date.now(), zone)
  if (place && place.textContent !== words) place.textContent = words
}

tell()
setInterval(tell, EVERY_MS)
