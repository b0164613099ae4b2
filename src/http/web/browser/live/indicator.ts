/** Says at the foot of the menu whether the page is live. */
import { clockWords, knownZone } from '../../../../lib/time-words.ts'
import { brokenSince, source } from './stream.ts'

/** A cut that is over sooner is not worth a word. */
const PATIENCE_MS = 5_000
/** Then a note says it in the page too. */
const NOTE_AFTER_MS = 60_000

const zone = knownZone(document.documentElement.dataset.tz)
const clockTime = (at: number) => clockWords(at, Date.now(), zone)
const place = document.getElementById('live')
const note = document.createElement('p')
note.className = 'note late'
note.setAttribute('role', 'status')

function tell(): void {
  const since = brokenSince()
  const brokenFor = since === null ? 0 : Date.now() - since
  const isBroken = brokenFor > PATIENCE_MS
  const words = isBroken && since !== null ? `Reconnecting, shown as of ${clockTime(since)}` : 'Live'
  if (place && place.textContent !== words) {
    place.hidden = false
    place.className = isBroken ? 'live off' : 'live'
    place.textContent = words
  }
  const isLong = brokenFor > NOTE_AFTER_MS && since !== null
  if (isLong && !note.isConnected) {
    note.textContent = `The connection to the server is lost. What you see is as of ${clockTime(since)}.`
    document.querySelector('#main .head')?.after(note)
  } else if (!isLong) {
    note.remove()
  }
}

if (source) {
  setInterval(tell, 1_000)
  for (const event of ['htmx:sse:after:connection', 'htmx:sse:error']) source.addEventListener(event, tell)
}
