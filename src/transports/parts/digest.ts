/** The words of one message about several alerts, which waited for the end of quiet hours. Nothing is escaped here. */
import { flipSentenceText } from '../../domain/alert/flip-sentence.ts'
import { nameOf } from '../../domain/alert/notification.ts'
import { sentenceText } from '../../domain/words/sentence-text.ts'
import { derivedUuid } from '../../lib/secrets/derived-uuid.ts'
import { oneLine, within } from '../../lib/text/text.ts'
import { knownZone } from '../../lib/time-words.ts'
import type { Alert, Alerts } from '../transport.ts'

/** A message about several alerts to one channel. */
export interface Digest {
  /** the same for each attempt at the same alerts */
  readonly id: string
  /** true: at least one of the checks is down */
  readonly isDown: boolean
  /** `2 DOWN, 1 UP`; for one check its status */
  readonly status: string
  /** `2 checks are DOWN, 1 is UP`; for one check `Backup is UP` */
  readonly headline: string
  /** why the message comes only now */
  readonly reason: string
  /** checks in the order in which their alerts were given */
  readonly checks: readonly DigestCheck[]
}

export interface DigestCheck {
  readonly name: string
  readonly isDown: boolean
  /** `DOWN` or `UP` */
  readonly status: string
  readonly link: string | null
  /** null: it is not down any more */
  readonly incidentLink: string | null
  /** a line for each of the last alerts, oldest first: `DOWN at 02:00 (Europe/Riga): …` */
  readonly story: readonly string[]
}

/** Most alerts of a check that are told. */
const TOLD = 4
const [NAME_LIMIT, LINE_LIMIT] = [150, 1_000]

/** @param tz IANA name of the receiver's zone; null: that of the project */
export function digestOf(alerts: Alerts, tz: string | null = null): Digest {
  const ofChecks = [...Map.groupBy(alerts, ({ check }) => check.id).values()]
  const checks = ofChecks.flatMap((ofCheck) => {
    const last = ofCheck.at(-1)
    return last ? [digestCheck(last, ofCheck, tz)] : []
  })
  const down = checks.filter(({ isDown }) => isDown).length
  const up = checks.length - down
  const [only] = checks.length === 1 ? checks : []
  return {
    id: derivedUuid(
      'digest',
      alerts
        .map(({ delivery }) => delivery.id)
        .toSorted()
        .join(' '),
    ),
    isDown: down > 0,
    status: only?.status ?? [down > 0 && `${down} DOWN`, up > 0 && `${up} UP`].filter(Boolean).join(', '),
    headline: only ? `${only.name} is ${only.status}` : countWords(down, up),
    reason: 'This waited for the end of the quiet hours of the integration.',
    checks,
  }
}

/** Returns `2 checks are DOWN, 1 is UP`. */
function countWords(down: number, up: number): string {
  const [first, second] = [
    [down, 'DOWN'],
    [up, 'UP'],
  ].filter(([count]) => count !== 0)
  const words = ([count, status]: (string | number)[], noun: string) =>
    `${count}${noun} ${count === 1 ? 'is' : 'are'} ${status}`
  const checks = first?.[0] === 1 ? ' check' : ' checks'
  return [...(first ? [words(first, checks)] : []), ...(second ? [words(second, '')] : [])].join(', ')
}

/** @param last the newest of its alerts */
function digestCheck(last: Alert, alerts: readonly Alert[], tz: string | null): DigestCheck {
  const told = alerts.slice(-TOLD)
  const omitted = alerts.length - told.length
  const { isDown: wasDown, link, incidentLink } = last.message
  // A channel that wants no recoveries gets none, but the check may have recovered.
  const isDown = wasDown && last.isNewest
  return {
    name: within(oneLine(nameOf(last.check)), NAME_LIMIT),
    isDown,
    status: isDown ? 'DOWN' : 'UP',
    link,
    incidentLink: isDown ? incidentLink : null,
    story: [
      ...(omitted > 0 ? [`${omitted} earlier alerts are left out.`] : []),
      ...told.map((alert) => within(oneLine(storyLine(alert, tz)), LINE_LIMIT)),
      ...(wasDown && !isDown ? ['It is no longer down.'] : []),
    ],
  }
}

function storyLine(alert: Alert, tz: string | null): string {
  const { flip, message, now, projectTz, check } = alert
  const zone = knownZone(tz ?? projectTz ?? check.tz) ?? 'UTC'
  const at = sentenceText([{ at: flip.createdAt }], { now, tz: zone, isNamed: true })
  return `${message.status} ${at}: ${flipSentenceText(alert, now, tz)}`
}

/**
 * Returns a digest as text: a paragraph for each check, as many as fit, and the number of the others.
 * @param write returns the paragraph of a check, in the markup of the receiver
 * @param sizeOf measures a text as the receiver does
 */
export function digestText(
  { reason, checks }: Digest,
  limit: number,
  write: (check: DigestCheck) => string,
  sizeOf: (text: string) => number = (text) => text.length,
): string {
  const text = (shown: number) => {
    const left = checks.length - shown
    const rest = left > 0 ? [`… and ${left} more ${left === 1 ? 'check' : 'checks'}.`] : []
    return [reason, ...checks.slice(0, shown).map(write), ...rest].join('\n\n')
  }
  let shown = checks.length
  while (shown > 0 && sizeOf(text(shown)) > limit) shown -= 1
  return text(shown)
}
