/** Shows at the bottom of the menu whether the page is receiving updates. */
import { clockWords, knownZone } from '../../../../lib/time-words.ts'
import { brokenSince, source } from './stream.ts'

/** How long the connection has to be lost before the menu says so, in milliseconds. */
const PATIENCE_MS = 5_000
/** How long the connection has to be lost before the page shows a note, in milliseconds. */
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
  // Show nothing before the first connection, and don't change the text during a short disconnection.
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
    note.textContent = `The connection to the server is lost. This page shows the state as of ${clockTime(since)}.`
    document.querySelector('#main .head')?.after(note)
  }
}

if (source) {
  setInterval(tell, 1_000)
  for (const event of ['htmx:sse:after:connection', 'htmx:sse:error']) source.addEventListener(event, tell)
}
