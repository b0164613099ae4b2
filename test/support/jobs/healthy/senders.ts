/** Single jobs whose pings come from several addresses or programs. */
import type { SeededRandom } from '../../seeded-random.ts'
import { aHistory, type History } from '../history.ts'
import type { HealthyKind } from '../kind.ts'
import { ORDINARY, withMishaps } from '../mishaps.ts'
import { aRun, CURL, DAY, HOUR, pingsOf, type Sender, slotsOf } from '../runs.ts'
import { beginning, nightly, periodic, scheduled, surroundings, ZONES } from '../watching.ts'
import { delay } from './nightly.ts'

/** Returns the sender of a run. */
type SenderOf = (run: number, at: number) => Sender

const POWERSHELL = 'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.1'
const HEADLESS =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36'

export const SENDERS: readonly HealthyKind[] = [
  { name: 'an address that changes', history: (random) => sentBy(random, changing(random)) },
  { name: 'two addresses in turn', history: (random) => sentBy(random, inTurn(random)) },
  { name: 'any of eight nodes', history: (random) => sentBy(random, () => from(`10.2.0.${1 + random.integer(7)}`)) },
  { name: 'another host takes over', history: (random) => sentBy(random, takenOver(random)) },
  { name: 'PowerShell', history: (random) => sentBy(random, () => ({ ...CURL, userAgent: POWERSHELL })) },
  { name: 'a headless browser', history: (random) => sentBy(random, () => ({ ...CURL, userAgent: HEADLESS })) },
]

function from(sender: string): Sender {
  return { ...CURL, sender }
}

/** A provider that assigns another address every few days or weeks. */
function changing(random: SeededRandom): SenderOf {
  const days = random.between(1, 20)
  const shift = random.between(0, days)
  return (_run, at) => from(`84.10.${Math.floor((at / DAY + shift) / days) % 250}.7`)
}

function inTurn(random: SeededRandom): SenderOf {
  const isStrict = random.happens(0.5)
  const pair = ['84.10.3.7', '2001:db8::7']
  return (run) => from(isStrict ? (pair[run % 2] ?? '') : random.pick(pair))
}

function takenOver(random: SeededRandom): SenderOf {
  const taken = 3 + random.integer(40)
  return (run) => from(run < taken ? '10.0.0.5' : '10.0.0.6')
}

const HOURS: Readonly<Record<string, number>> = { '0 * * * *': 1, '*/30 * * * *': 0.5, '0 */6 * * *': 6 }

function sentBy(random: SeededRandom, senderOf: SenderOf): History {
  const tz = random.pick(ZONES)
  const createdAt = beginning(random)
  const schedule = random.pick([nightly(random), ...Object.keys(HOURS)])
  const distance = (HOURS[schedule] ?? 24) * HOUR
  const until = createdAt + Math.min(90 * DAY, random.between(80, 300) * distance)
  const runs = slotsOf(schedule, tz, createdAt, until).map((at, run) =>
    aRun(at + delay(random), { seconds: random.between(1, 20), by: senderOf(run, at) }),
  )
  const grace = Math.min(HOUR, distance / 3)
  const check = random.happens(0.6)
    ? scheduled(schedule, tz, grace, createdAt)
    : periodic(distance, 2 * grace, createdAt)
  const pings = pingsOf(withMishaps(runs, random, { ...ORDINARY, byHand: 0 }), random, { starts: random.happens(0.4) })
  return aHistory({ check, pings, until, ...surroundings(random, tz) })
}
