/** Shows at the foot of the menu whether the page is live. */
import { clockWords, knownZone } from '../../../../lib/time-words.ts'
import { brokenSince, source } from './stream.ts'

/** Milliseconds without a connection that are not reported. */
const PATIENCE_MS = 5_000
/** Milliseconds after which a note in the page reports it, too. */
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
  // Nothing is shown before the first connection, and a short disconnection does not change the text.
  if (since !== null && brokenFor < PATIENCE_MS) return
  const words = since === null ? 'Live' : `Reconnecting, shown as of ${clockTime(since)}`
  if (place && place.textContent !== words) {
    place.hidden = false
    place.className = since === null ? 'live' : 'live off'
    place.textContent = words
  }
  if (since === null || brokenFor < NOTE_AFTER_MS) {
    note.remove()
  } else if (!note.isConnected) {
    note.textContent = `The connection to the server is lost. What you see is as of ${clockTime(since)}.`
    document.querySelector('#main .head')?.after(note)
  }
}

if (source) {
  setInterval(tell, 1_000)
  for (const event of ['htmx:sse:after:connection', 'htmx:sse:error']) source.addEventListener(event, tell)
}
