/** An opened ping next to the log. It shows when and how the ping arrived, the alerts that resulted from it, and its body. */
import type { DeliveryEntry } from '../../../../domain/alert/delivery.ts'
import type { FailureRule } from '../../../../domain/cause/failure-cause.ts'
import type { Check } from '../../../../domain/check/check.ts'
import { ignoredWords } from '../../../../domain/log/line-words.ts'
import type { LogEntry } from '../../../../domain/log/log-entry.ts'
import type { Instant, Temporal } from '../../../../lib/time.ts'
import { durationWords } from '../../../../lib/time-words.ts'
import type { OpenedPing } from '../../../../services/pings/opened-ping.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { icon } from '../../parts/icons.ts'
import { keyValues } from '../../parts/lists.ts'
import { PING_LOOKS } from '../../parts/log-lines.ts'
import { bdi, shown } from '../../parts/words/text.ts'
import { bodySection } from './body.ts'

interface OpenedData {
  readonly check: Pick<Check, 'tz'>
  readonly opened: OpenedPing
  /** the ping's entry in the log */
  readonly entry: LogEntry
  /** number of the ping that started the run; null if this ping did not end a run */
  readonly startedBy: number | null
  /** alerts about the flip that the ping caused; null if it caused no flip, or a flip that sends no alerts */
  readonly told: readonly DeliveryEntry[] | null
  /** paths, including the SITE_ROOT path prefix */
  readonly paths: {
    /** the next newer ping; null if this is the newest */
    readonly newer: string | null
    readonly older: string | null
    readonly close: string
    readonly original: string
    readonly start: string | null
  }
  /** IANA time zone from the reader's account settings */
  readonly tz: string
}

export function titleOf({ kind, n }: Pick<LogEntry, 'kind' | 'n'>): string {
  return `${PING_LOOKS[kind].word} #${n}`
}

export function openedPing(data: OpenedData): Html {
  const { entry, opened, paths } = data
  const { shape } = PING_LOOKS[entry.kind]
  return html`<section class="card ping" id="ping" aria-labelledby="ping-title"><a class="back" href="${paths.close}">${icon('left')}Log</a><header>${shape}<h2 id="ping-title">${titleOf(entry)}</h2><div class="acts">${iconLink('left', 'Newer ping', '[', paths.newer)}${iconLink('right', 'Older ping', ']', paths.older)}${iconLink('cross', 'Close', 'Escape', paths.close)}</div></header>
<div class="body">${keyValues(facts(data))}</div>
${bodySection(entry, opened, paths.original)}</section>`
}

/** @param key the link's keyboard shortcut */
function iconLink(symbol: 'left' | 'right' | 'cross', name: string, key: string, href: string | null): HtmlValue {
  return (
    href !== null &&
    html`<a class="btn quiet icon small" href="${href}" aria-label="${name}" data-key="${key}">${icon(symbol)}</a>`
  )
}

function facts({ check, entry, opened, startedBy, told, paths, tz }: OpenedData): (readonly [string, HtmlValue])[] {
  const { duration, exitStatus, ua, rid } = entry
  const rule = opened.cause?.rule
  const run = rid !== null && html`run <code title="${rid}">${rid.slice(0, RUN_CHARACTERS)}</code>`
  const since =
    startedBy !== null &&
    html`since ${paths.start === null ? `start #${startedBy}` : html`<a href="${paths.start}">start #${startedBy}</a>`}`
  const isRun = duration !== null
  return [
    ...(entry.ignoredBy === null ? [] : [['Ignored', shown(ignoredWords(entry))] as const]),
    ...(entry.occurredAt === null ? [] : [['Happened', inZones(entry.occurredAt, check.tz, tz)] as const]),
    ['Received', inZones(entry.receivedAt, check.tz, tz)],
    ...(isRun
      ? [
          [
            'Took',
            html`${durationWords(duration / 1_000_000)} <span class="muted">${since}${since && run && ', '}${run}</span>`,
          ] as const,
        ]
      : []),
    ...(!isRun && rid !== null ? [['Run', html`<code>${rid}</code>`] as const] : []),
    ...(exitStatus === null ? [] : [['Exit status', html`<b>${exitStatus}</b>`] as const]),
    ...(rule ? [['Reason', reason(rule)] as const] : []),
    ['From', source(entry)],
    ['Agent', ua === '' ? 'unknown' : bdi(ua)],
    ...(told === null ? [] : [['Alerts', alertsPart(told)] as const]),
  ]
}

function reason(rule: FailureRule): Html {
  const words =
    rule.name === 'keyword'
      ? html`the keyword ‘${bdi(rule.word)}’ is in the ${rule.part}`
      : `the ${rule.searched} contains no keyword, which counts as a failure`
  return html`${words}<span class="muted">, under the current rules</span>`
}

/** Number of characters to show of a run id, as in Healthchecks. */
const RUN_CHARACTERS = 5

function source({ remoteAddr, scheme, method }: LogEntry): HtmlValue {
  const from = remoteAddr ?? 'unknown address'
  return scheme === 'email' ? `${from}, email` : `${from}, ${shown(scheme).toUpperCase()} ${shown(method)}`
}

/** Renders the time in the reader's zone, in the check's zone, and in UTC. A zone that occurs twice is shown once. */
function inZones(at: Instant, checkZone: string, tz: string): Html {
  const zones = [tz, checkZone, 'UTC'].filter((zone, index, all) => all.indexOf(zone) === index)
  const lines = zones.map((zone, index) => {
    const local = at.toZonedDateTimeISO(zone)
    const isSameDay = index > 0 && local.toPlainDate().equals(at.toZonedDateTimeISO(tz).toPlainDate())
    const time = local.toPlainTime().toString({ fractionalSecondDigits: 3, roundingMode: 'floor' })
    const words = isSameDay ? time : `${dateOf(local)}, ${time}`
    const whose = [zone === tz ? 'yours' : '', zone === checkZone ? 'of the check' : ''].filter((each) => each !== '')
    const name = zone === 'UTC' ? zone : [zone, whose.join(' and ')].join(', ')
    return html`${index > 0 && html`<br>`}${words} <span class="muted">${name}</span>`
  })
  return html`<time datetime="${at.toString({ smallestUnit: 'millisecond', roundingMode: 'floor' })}">${lines}</time>`
}

function dateOf(at: Temporal.ZonedDateTime): string {
  return at
    .toPlainDate()
    .toLocaleString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
    .replace(',', '')
}

const STATES = { sent: 'sent', pending: 'waiting', failed: 'failed' } as const

/** Renders `<span id=ping-alerts>`, the part of an opened ping that live updates can change. */
export function alertsPart(told: readonly DeliveryEntry[]): Html {
  return html`<span id="ping-alerts">${alerts(told)}</span>`
}

function alerts(told: readonly DeliveryEntry[]): HtmlValue {
  if (told.length === 0) return 'no one was alerted: the check had no integrations'
  return told.map(({ delivery, channelName, channelKind }, index) => {
    const isRetried = delivery.state === 'pending' && delivery.attempts > 0
    return html`${index > 0 && ', '}${channelName === '' ? channelKind : bdi(channelName)}: ${isRetried ? 'retrying' : STATES[delivery.state]}`
  })
}
