/** Formats one message about several alerts that were held back until quiet hours ended. Nothing is escaped here. */
import { derivedUuid } from '../../lib/secrets/derived-uuid.ts'
import { oneLine, within } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'
import { knownZone } from '../../lib/time-words.ts'
import { sentenceText } from '../words/sentence-text.ts'
import type { DeliveryOrder } from './delivery.ts'
import type { ExplainedFlip } from './flip-context.ts'
import { flipSentenceText } from './flip-sentence.ts'
import { type Notification, nameOf } from './notification.ts'

/** An alert in a digest. */
interface DigestAlert extends ExplainedFlip, Pick<DeliveryOrder, 'delivery'> {
  readonly message: Notification
  readonly now: Instant
}

/** A message to one channel about several alerts. */
export interface Digest {
  /** id that stays the same across attempts to send these alerts */
  readonly id: string
  /** true: at least one check is down */
  readonly isDown: boolean
  /** status such as `2 DOWN, 1 UP, 1 no longer DOWN`; for a single check, its own status */
  readonly status: string
  /** headline such as `2 checks are DOWN, 1 is UP`; for a single check, `Backup is UP` */
  readonly headline: string
  /** reason why the message was delayed */
  readonly reason: string
  /** checks in the order of their alerts */
  readonly checks: readonly DigestCheck[]
  /** URL of the page with all of the project's alerts; null in a test message, whose check does not exist */
  readonly alertsLink: string | null
}

const STATUSES = ['DOWN', 'UP', 'no longer DOWN'] as const

export interface DigestCheck {
  readonly name: string
  readonly isDown: boolean
  /** check's status. `no longer DOWN`: it was paused, or recoveries are not sent to the channel */
  readonly status: (typeof STATUSES)[number]
  readonly link: string | null
  /** URL of the incident's page; null: the check is no longer down */
  readonly incidentLink: string | null
  /** a line for each of the newest alerts, oldest first, such as `DOWN at 02:00 (Europe/Riga): …` */
  readonly story: readonly string[]
}

/** Maximum number of alerts to list per check. */
const TOLD = 4
const [NAME_LIMIT, LINE_LIMIT] = [150, 1_000]

/** @param tz IANA name of the receiver's time zone; null: the project's time zone */
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
    reason: 'This was held until the quiet hours of the integration ended.',
    checks,
    alertsLink: alerts[0]?.message.alertsLink ?? null,
  }
}

/** Returns a headline such as `2 checks are DOWN, 1 is UP`. */
function countWords(counts: readonly { readonly status: string; readonly count: number }[]): string {
  return counts
    .map(({ status, count }, index) => {
      const checks = index === 0 ? (count === 1 ? ' check' : ' checks') : ''
      return `${count}${checks} ${count === 1 ? 'is' : 'are'} ${status}`
    })
    .join(', ')
}

/** @param last the newest alert */
function digestCheck(last: DigestAlert, alerts: readonly DigestAlert[], tz: string | null): DigestCheck {
  const told = alerts.slice(-TOLD)
  const omitted = alerts.length - told.length
  const { isDown: wasDown, link, incidentLink } = last.message
  // If recoveries are not sent to the channel, the receiver has not been told that a check recovered. A pause is never reported.
  const status = !wasDown ? 'UP' : last.isNewest ? 'DOWN' : 'no longer DOWN'
  const isDown = status === 'DOWN'
  return {
    name: within(oneLine(nameOf(last.check)), NAME_LIMIT),
    isDown,
    status,
    link,
    incidentLink: isDown ? incidentLink : null,
    story: [
      ...(omitted > 0 ? [`${omitted} earlier alerts are not shown.`] : []),
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

/** Returns the first paragraph for messages that have no title. */
export function digestIntro({ headline, reason, checks }: Digest): string {
  return checks.length > 1 ? `${headline}. ${reason}` : reason
}

interface DigestLayout {
  /** the first paragraph */
  readonly intro: string
  /** maximum size of a message that the receiver accepts */
  readonly limit: number
  /** formats a check as lines in the receiver's markup; the first line names the check */
  readonly write: (check: DigestCheck) => readonly string[]
  /** formats a link in the receiver's markup; by default, writes the label and the URL */
  readonly writeLink?: (label: string, url: string) => string
  /** separator between the lines of a paragraph */
  readonly lineBreak?: string
  /** measures a string's size the way the receiver does; by default in UTF-16 code units */
  readonly sizeOf?: (text: string) => number
}

/**
 * Formats a digest as text, with one paragraph per check. If the text would be too long, lists as many checks as fit and links to the page
 * with all alerts. If there is room, the first checks still get complete paragraphs.
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

/** Returns the coloured circle that precedes a check's name. */
export function digestMark({ isDown }: Pick<DigestCheck, 'isDown'>): string {
  return isDown ? '🔴' : '🟢'
}

/** Formats a check as lines without markup. */
export function plainCheck(check: DigestCheck): readonly string[] {
  const { name, status, story, link } = check
  return [`${digestMark(check)} ${name} is ${status}.`, ...story, ...(link === null ? [] : [link])]
}
