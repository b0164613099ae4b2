/** The table that shows how a change would affect each check, including its alerts in the last 30 days. */
import type { Channel } from '../../../../domain/channel/channel.ts'
import type { Check } from '../../../../domain/check/check.ts'
import { scheduleWords } from '../../../../domain/check/schedule-words.ts'
import { periodInWords } from '../../../../domain/duration.ts'
import { TRIED_LIMIT, type TriedCheck } from '../../../../services/bulk/settings.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { channelKind } from '../../parts/channels.ts'
import { note } from '../../parts/notes.ts'
import { bdi, counted, shown } from '../../parts/words/text.ts'

/** Maximum number of rows. The rest are summarized as a count. */
const SHOWN = 500
/** Maximum number of integrations to name for each check. The rest are summarized as a count. */
const NAMED = 3

/** Selector of the element that the script updates. */
export const CHANGES = '#changes'

export interface Changes {
  readonly tried: readonly TriedCheck[]
  /** the project's channels */
  readonly channels: readonly Channel[]
}

/** @param mistake message to show instead of the table; null if there is no mistake */
export function changesPart(changes: Changes, mistake: string | null): Html {
  return html`<div id="changes" role="status">${mistake === null ? changesHtml(changes) : html`<p class="lead none">${mistake}</p>`}</div>
`
}

function changesHtml(changes: Changes): Html {
  const { tried } = changes
  const rows = tried.slice(0, SHOWN)
  return html`<p>${sumWords(changes)}</p>${missedNote(tried)}
<div class="card scroll" tabindex="0" role="region" aria-label="What would change"><table class="table stacks"><thead><tr><th scope="col">Check</th><th scope="col">Schedule</th><th scope="col">Grace</th><th scope="col">Alerts in 30 days</th></tr></thead><tbody>
${rows.map((one) => row(one, changes))}</tbody></table></div>
${tried.length > rows.length && html`<p class="rest">and ${counted(tried.length - rows.length, 'more check', 'more checks')}</p>`}${tried.length > TRIED_LIMIT && html`<p class="help">Alerts are counted for the first ${TRIED_LIMIT} checks whose schedule or grace time would change.</p>`}`
}

/** Returns a string such as `3 of 4 checks would change: 1 alert in 30 days instead of 4.` */
function sumWords({ tried }: Changes): string {
  const changed = tried.filter(({ isChanged }) => isChanged).length
  if (changed === 0) return 'Nothing would change.'
  const alerts = tried.flatMap((one) => one.alerts ?? [])
  const now = alerts.reduce((sum, each) => sum + each.present, 0)
  const then = alerts.reduce((sum, each) => sum + each.tried, 0)
  const words =
    alerts.length === 0
      ? ''
      : `: ${counted(then, 'alert', 'alerts')} in 30 days${then === now ? ', as now' : ` instead of ${now}`}`
  const would = `${changed} of ${counted(tried.length, 'check', 'checks')} would change${words}.`
  const kept = tried.filter(({ after }) => after.kept.length > 0).length
  return kept === 0 ? would : `${would} ${kept} can’t be changed in this way.`
}

function missedNote(tried: readonly TriedCheck[]): HtmlValue {
  const missed = tried.reduce((sum, { alerts }) => sum + (alerts?.missed ?? 0), 0)
  const them = missed === 1 ? 'An outage' : `${missed} outages`
  return missed > 0 && note('late', html`<b>Save anyway?</b> ${them} would have been missed.`)
}

function row({ before, after, alerts }: TriedCheck, { channels }: Changes): Html {
  const { name } = before.check
  const [was, is] = [before.check, after.check]
  const others = [
    was.methods !== is.methods && change(methodWords(was), methodWords(is)),
    before.channelIds.join() !== after.channelIds.join() &&
      change(alertWords(before.channelIds, channels), alertWords(after.channelIds, channels)),
    was.tags !== is.tags && change(tagWords(was), tagWords(is)),
    ...after.kept.map((words) => html`<span class="kept">${words}</span>`),
  ]
  const lines = others.flatMap((words) => (words === false ? [] : [html`<small>${words}</small>`]))
  return html`<tr><th scope="row">${name === '' ? html`<i>no name</i>` : bdi(name)}${lines}</th><td data-name="Schedule">${change(timingWords(was), timingWords(is))}</td><td data-name="Grace">${change(periodInWords(was.graceSeconds), periodInWords(is.graceSeconds))}</td><td data-name="Alerts in 30 days">${alertCell(alerts)}</td></tr>
`
}

/** Renders the old value struck through, followed by the new value. If they are equal, renders the value once. */
function change(before: string, after: string): Html {
  if (before === after) return html`${shown(before)}`
  return html`<s>${shown(before)}</s><span class="sr"> becomes</span> <b>${shown(after)}</b>`
}

/** Returns a string such as `Daily at 04:20, Europe/Riga`. */
function timingWords(check: Check): string {
  const { words, expression } = scheduleWords(check)
  return check.kind === 'simple' || words.endsWith(')') ? words : `${expression ?? words}, ${check.tz}`
}

function methodWords({ methods }: Check): string {
  return methods === '' ? 'any method' : `${methods} only`
}

function tagWords({ tags }: Check): string {
  return tags === '' ? 'no tags' : tags
}

function alertWords(ids: readonly string[], channels: readonly Channel[]): string {
  const assigned = channels.filter(({ id }) => ids.includes(id))
  const names = assigned.slice(0, NAMED).map(({ name, kind }) => name || channelKind(kind))
  const more = assigned.length - names.length
  return names.length === 0 ? 'alerts no one' : `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function alertCell(alerts: TriedCheck['alerts']): HtmlValue {
  if (alerts === null) return '–'
  const { present, tried } = alerts
  return present === tried ? String(present) : html`${present}, <b>would be ${tried}</b>`
}
