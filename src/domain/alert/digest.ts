/** The words of one message about several alerts, which waited for the end of quiet hours. Nothing is escaped here. */
import { derivedUuid } from '../../lib/secrets/derived-uuid.ts'
import { oneLine, within } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'
import { knownZone } from '../../lib/time-words.ts'
import { sentenceText } from '../words/sentence-text.ts'
import type { DeliveryOrder } from './delivery.ts'
import type { ExplainedFlip } from './flip-context.ts'
import { flipSentenceText } from './flip-sentence.ts'
import { type Notification, nameOf } from './notification.ts'

/** An alert of a digest. */
interface DigestAlert extends ExplainedFlip, Pick<DeliveryOrder, 'delivery'> {
  readonly message: Notification
  readonly now: Instant
}

/** A message about several alerts to one channel. */
export interface Digest {
  /** the same for each attempt at the same alerts */
  readonly id: string
  /** true: at least one of the checks is down */
  readonly isDown: boolean
  /** `2 DOWN, 1 UP, 1 no longer DOWN`; for one check its status */
  readonly status: string
  /** `2 checks are DOWN, 1 is UP`; for one check `Backup is UP` */
  readonly headline: string
  /** reason for the delay of the message */
  readonly reason: string
  /** checks in the order in which their alerts were given */
  readonly checks: readonly DigestCheck[]
  /** the page with all alerts of the project; null for the made-up check of a test */
  readonly alertsLink: string | null
}

const STATUSES = ['DOWN', 'UP', 'no longer DOWN'] as const

export interface DigestCheck {
  readonly name: string
  readonly isDown: boolean
  /** `no longer DOWN` is about a check that was paused, or whose channel wants no recoveries */
  readonly status: (typeof STATUSES)[number]
  readonly link: string | null
  /** null: the check is no longer down */
  readonly incidentLink: string | null
  /** a line for each of the last alerts, oldest first: `DOWN at 02:00 (Europe/Riga): …` */
  readonly story: readonly string[]
}

/** Maximum number of alerts of a check that are listed. */
const TOLD = 4
const [NAME_LIMIT, LINE_LIMIT] = [150, 1_000]

/** @param tz IANA name of the receiver's zone; null: that of the project */
export function digestOf(alerts: readonly DigestAlert[], tz: string | null = null): Digest {
  const ofChecks = [...Map.groupBy(alerts, ({ check }) => check.id).values()]
  const checks = ofChecks.flatMap((ofCheck) => {
    const last = ofCheck.at(-1)
    return last ? [digestCheck(last, ofCheck, tz)] : []
  })
  const counts = STATUSES.map((status) => ({
    status,
    count: checks.filter((check) => check.status === status).length,
  })).filter(({ count }) => count > 0)
  const [only] = checks.length === 1 ? checks : []
  return {
    id: derivedUuid(
      'digest',
      alerts
        .map(({ delivery }) => delivery.id)
        .toSorted()
        .join(' '),
    ),
    isDown: checks.some(({ isDown }) => isDown),
    status: only?.status ?? counts.map(({ count, status }) => `${count} ${status}`).join(', '),
    headline: only ? `${only.name} is ${only.status}` : countWords(counts),
    reason: 'This waited for the end of the quiet hours of the integration.',
    checks,
    alertsLink: alerts[0]?.message.alertsLink ?? null,
  }
}

/** Returns `2 checks are DOWN, 1 is UP`. */
function countWords(counts: readonly { readonly status: string; readonly count: number }[]): string {
  return counts
    .map(({ status, count }, index) => {
      const checks = index === 0 ? (count === 1 ? ' check' : ' checks') : ''
      return `${count}${checks} ${count === 1 ? 'is' : 'are'} ${status}`
    })
    .join(', ')
}

/** @param last the newest of the alerts */
function digestCheck(last: DigestAlert, alerts: readonly DigestAlert[], tz: string | null): DigestCheck {
  const told = alerts.slice(-TOLD)
  const omitted = alerts.length - told.length
  const { isDown: wasDown, link, incidentLink } = last.message
  // A channel that wants no recoveries gets none, and nobody is alerted of a pause.
  const status = !wasDown ? 'UP' : last.isNewest ? 'DOWN' : 'no longer DOWN'
  const isDown = status === 'DOWN'
  return {
    name: within(oneLine(nameOf(last.check)), NAME_LIMIT),
    isDown,
    status,
    link,
    incidentLink: isDown ? incidentLink : null,
    story: [
      ...(omitted > 0 ? [`${omitted} earlier alerts are left out.`] : []),
      ...told.map((alert) => within(oneLine(storyLine(alert, tz)), LINE_LIMIT)),
    ],
  }
}

function storyLine(alert: DigestAlert, tz: string | null): string {
  const { flip, message, now, projectTz, check } = alert
  const zone = knownZone(tz ?? projectTz ?? check.tz) ?? 'UTC'
  const at = sentenceText([{ at: flip.createdAt }], { now, tz: zone, isNamed: true })
  return `${message.status} ${at}: ${flipSentenceText(alert, now, tz)}`
}

/** Returns the first paragraph of a message without a title. */
export function digestIntro({ headline, reason, checks }: Digest): string {
  return checks.length > 1 ? `${headline}. ${reason}` : reason
}

interface DigestLayout {
  /** the first paragraph */
  readonly intro: string
  /** maximum size that the receiver accepts */
  readonly limit: number
  /** returns the lines of a check, in the markup of the receiver; the first one names the check */
  readonly write: (check: DigestCheck) => readonly string[]
  /** returns a link in the markup of the receiver; by default the URL after its label */
  readonly writeLink?: (label: string, url: string) => string
  /** separates the lines of a paragraph */
  readonly lineBreak?: string
  /** measures a text as the receiver does; by default in UTF-16 units */
  readonly sizeOf?: (text: string) => number
}

/**
 * Returns a digest as text: a paragraph for each check. If they do not fit, as many checks as fit are named, the first of them with their
 * whole paragraphs as far as these fit, and a link leads to the others.
 */
export function digestText(
  { checks, alertsLink }: Digest,
  {
    intro,
    limit,
    write,
    writeLink = (label, url) => `${label}: ${url}`,
    lineBreak = '\n',
    sizeOf = (text) => text.length,
  }: DigestLayout,
): string {
  const written = checks.map(write)
  const link = alertsLink === null ? [] : [writeLink('View all alerts', alertsLink)]
  const text = (named: number, whole: number) => {
    const names = written.slice(whole, named).flatMap((lines) => lines.slice(0, 1))
    const left = checks.length - named
    const rest = left > 0 ? [`… and ${left} more ${left === 1 ? 'check' : 'checks'}.`] : []
    return [
      intro,
      ...written.slice(0, whole).map((lines) => lines.join(lineBreak)),
      ...(names.length > 0 ? [names.join(lineBreak)] : []),
      ...(whole < checks.length ? [[...rest, ...link].join(' ')] : []),
    ].join('\n\n')
  }
  const fits = (named: number, whole: number) => sizeOf(text(named, whole)) <= limit
  if (fits(checks.length, checks.length)) return text(checks.length, checks.length)
  let named = checks.length
  while (named > 0 && !fits(named, 0)) named -= 1
  let whole = 0
  while (whole < named && fits(named, whole + 1)) whole += 1
  return text(named, whole)
}

/** Returns the circle before the name of a check. */
export function digestMark({ isDown }: Pick<DigestCheck, 'isDown'>): string {
  return isDown ? '🔴' : '🟢'
}

/** Returns the lines of a check without markup. */
export function plainCheck(check: DigestCheck): readonly string[] {
  const { name, status, story, link } = check
  return [`${digestMark(check)} ${name} is ${status}.`, ...story, ...(link === null ? [] : [link])]
}
