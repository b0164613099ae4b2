/** The page that shows the server's health. */
import { addressOf, type MailServer } from '../../../../../domain/mail/mail-server.ts'
import { megabytes } from '../../../../../lib/text/text.ts'
import type { Instant } from '../../../../../lib/time.ts'
import { durationWords } from '../../../../../lib/time-words.ts'
import type { ServerPlace } from '../../../../../services/common/deps.ts'
import { clockWords, isClockWrong } from '../../../../../services/server/instances.ts'
import type { ReadinessLine } from '../../../../../services/server/readiness.ts'
import type { LoopState, ServerHealth, StoredFigures } from '../../../../../services/server/server-health.ts'
import type { PageContext } from '../../../context.ts'
import { type Html, type HtmlValue, html } from '../../../html.ts'
import { card, keyValues } from '../../../parts/lists.ts'
import { stateShape } from '../../../parts/words/states.ts'
import { counted, shown } from '../../../parts/words/text.ts'
import { relativeTime, zoneLine } from '../../../parts/words/times.ts'
import type { FrameContent } from '../../../route.ts'
import { ADMIN_TABS, adminTabs } from '../tabs.ts'

interface HealthData extends PageContext {
  readonly health: ServerHealth
  readonly place: ServerPlace
  readonly instance: { readonly name: string; readonly version: string; readonly startedAt: Instant }
  /** the current mail server; null if the server sends no email */
  readonly mailServer: Pick<MailServer, 'host' | 'port'> | null
}

export function healthPage(data: HealthData): FrameContent {
  const { href, health, tz } = data
  return {
    layout: 'frame',
    help: 'monitoring',
    title: ADMIN_TABS.health.title,
    intro: 'What this instance depends on, and its background jobs since the last restart.',
    body: html`<div class="stack">${adminTabs(href, 'health')}${readinessCard(health.lines)}${loopsTable(data)}${databaseCard(data)}${mailCard(data)}${zoneLine(tz)}</div>`,
  }
}

function readinessCard(lines: readonly ReadinessLine[]): Html {
  const rows = lines.map(({ part, problem, note: words = 'ok' }) => {
    const isWell = problem === null
    return html`<li>${stateShape(isWell ? 'up' : 'down')}<p><b>${partWords(part)}</b> ${isWell ? words : html`failed: ${shown(problem)}`}</p></li>`
  })
  const failed = lines.filter(({ problem }) => problem !== null).length
  const title = failed === 0 ? 'Everything works' : `${counted(failed, 'part', 'parts')} failed`
  return card({ title, body: html`<ol class="line">${rows}</ol>` })
}

/** Returns the display name for a component in `/readyz`. For example, `/readyz` calls a background job a loop. */
function partWords(part: string): string {
  if (part === 'outbox') return 'waiting alerts'
  return part.replace(/^loop /, 'background job ')
}

/** Descriptions of the loops in `app/jobs.ts`, by loop name. */
const LOOP_WORK: Readonly<Record<string, string>> = {
  overdue: 'finds overdue checks',
  deliveries: 'sends alerts',
  mailings: 'sends reports and reminders',
  retention: 'deletes expired data',
  search: 'indexes pings for the search',
  refused: 'counts refused pings',
  backups: 'copies the database',
}

function loopsTable({ health, now, tz }: HealthData): Html {
  const rows = health.loops.map(({ name, lastRunAt, failures, meanLagSeconds }: LoopState) => {
    const ran = lastRunAt === null ? 'not yet' : relativeTime(lastRunAt, now, tz)
    return html`<tr><th scope="row">${name} <span class="muted">${LOOP_WORK[name]}</span></th><td data-name="Last run">${ran}</td><td data-name="Late by, on average">${durationWords(meanLagSeconds)}</td><td data-name="Failed runs">${failures}</td></tr>
`
  })
  return html`<div class="card scroll" tabindex="0" role="group" aria-label="Background jobs"><table class="table stacks"><thead><tr><th scope="col">Background job</th><th scope="col">Last run</th><th scope="col">Late by, on average</th><th scope="col">Failed runs</th></tr></thead><tbody>
${rows}</tbody></table></div>`
}

function databaseCard(data: HealthData): Html {
  const { health, place, instance, now, tz } = data
  const { disk, stored } = health
  const free = disk && `${gigabytes(disk.free)} of ${gigabytes(disk.total)} free`
  const body = keyValues([
    [
      'Instance',
      html`${shown(instance.name)}, version ${instance.version}, started ${relativeTime(instance.startedAt, now, tz)}`,
    ],
    ['Database', html`${place.engine}, <code>${shown(place.database)}</code>`],
    ...(stored === null ? [] : storedRows(stored, data)),
    ['Disk of the database', free ?? 'unknown on this machine'],
  ])
  return card({ title: 'Database', body })
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`
}

function storedRows(
  { outbox, size, backup, clockAhead }: StoredFigures,
  { href, place, now, tz }: HealthData,
): readonly (readonly [name: string, value: HtmlValue])[] {
  const sizes = Object.entries(size).map(([part, bytes]) => `${part} ${megabytes(bytes)}`)
  const waits = counted(outbox.pending, 'alert waits', 'alerts wait')
  const oldest = outbox.oldestAt && html`, the oldest since ${relativeTime(outbox.oldestAt, now, tz)}`
  const failed = backup?.failedAt && html`; the attempt ${relativeTime(backup.failedAt, now, tz)} failed`
  const newest = backup?.newest && html`${relativeTime(backup.newest.at, now, tz)}, ${megabytes(backup.newest.bytes)}`
  return [
    ['Size', sizes.join(', ')],
    ['Clock', comparedClock(place.hasOwnClock, clockAhead)],
    ['Alerts', html`${waits}${oldest}`],
    ...(backup === null
      ? []
      : [
          [
            'Last backup',
            html`${backup.isOld && stateShape('late')} ${newest ?? 'none yet'}${failed}. <a href="${href(ADMIN_TABS.backups.path)}">Backups</a>`,
          ] as const,
        ]),
  ]
}

/**
 * Describes the difference between this machine's clock and the database's clock.
 * @param hasOwnClock true if the database has its own clock
 * @param ahead seconds by which this machine's clock is ahead; null if unknown
 */
export function comparedClock(hasOwnClock: boolean, ahead: number | null): string {
  if (!hasOwnClock) return 'in sync (same machine)'
  if (ahead === null) return 'not compared with the database yet'
  const words = clockWords(ahead)
  return isClockWrong(ahead) ? `out of sync: ${words}; synchronize both with a time server (NTP)` : `in sync (${words})`
}

function mailCard({ href, mailServer }: HealthData): Html {
  const path = href(ADMIN_TABS.mail.path)
  const body =
    mailServer === null
      ? html`<p>No mail server is set up, so nothing is sent by email. <a href="${path}">Set it up</a></p>`
      : html`<p>Emails go through <code>${addressOf(mailServer)}</code>. <a href="${path}">Send a test</a></p>`
  return card({ title: 'Email', body })
}
