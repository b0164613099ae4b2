/** The server: whether it watches, its last outage, its backup. */
import type { ShownState } from '../../../../domain/check/shown-check.ts'
import { spanInWords } from '../../../../domain/duration.ts'
import { megabytes } from '../../../../lib/text/text.ts'
import type { ServerState } from '../../../../services/server/server-state.ts'
import type { PageContext } from '../../context.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { stateShape } from '../../parts/words/states.ts'
import { relativeTime, timeOf } from '../../parts/words/times.ts'
import { ADMIN_TABS } from '../admin/tabs.ts'

/** @param showsInstances true: the reader administers the server, and may see its instances */
export function serverCard(server: ServerState, context: PageContext, showsInstances: boolean): Html {
  const items = [watching(server, context), outage(server, context), backup(server, context, showsInstances)]
  return html`<section class="card" id="server" aria-labelledby="server-h"><header><h2 id="server-h">This server</h2>${showsInstances && html`<a class="btn quiet small" href="${context.href(ADMIN_TABS.instances.path)}">Instances</a>`}</header><div class="body"><ol class="line">${items}</ol></div></section>`
}

function item(state: ShownState, fact: HtmlValue, more: HtmlValue): Html {
  return html`<li>${stateShape(state)}<p><b>${fact}</b> ${more}</p></li>`
}

function watching({ isWatching, lastLookAt }: ServerState, { now, tz }: PageContext): Html {
  const look = lastLookAt
    ? html`Last search for overdue checks: ${relativeTime(lastLookAt, now, tz)}.`
    : 'No search for overdue checks yet.'
  if (isWatching) return item('up', 'Watching.', look)
  return item('down', 'Not watching.', html`${look} Overdue checks may go unnoticed. The server log says why.`)
}

function outage({ outage: gap }: ServerState, { now, tz }: PageContext): Html | null {
  if (gap === null) return null
  const seconds = gap.from.until(gap.until).total('seconds')
  const [from, until] = [timeOf('clock', gap.from, now, tz), timeOf('clock', gap.until, now, tz)]
  // Times have no seconds.
  const when = seconds < 60 ? html`${from}, for ${spanInWords(seconds)}` : html`${from} to ${until}`
  return item('late', html`Was away ${when}.`, 'Checks due in that gap got one more grace time, at most 15 minutes.')
}

/** @param isForAdministrators true: also reports a backup that was never made, about which only administrators can do something */
function backup(
  { backup: state }: ServerState,
  { href, now, tz }: PageContext,
  isForAdministrators: boolean,
): Html | null {
  if (state === null) return null
  const { newest, failedAt, isOld } = state
  if (newest === null && failedAt === null && !(isOld && isForAdministrators)) return null
  const written = newest
    ? html`written ${timeOf('clock', newest.at, now, tz)}, ${megabytes(newest.bytes)}.`
    : 'not written yet.'
  const more = isForAdministrators && html` <a href="${href(ADMIN_TABS.backups.path)}">Backups</a>`
  if (failedAt === null && isOld) {
    return item(
      'late',
      newest ? 'No backup for a week.' : 'No backup.',
      html`${newest && html`The last one: ${written}`}${more}`,
    )
  }
  if (failedAt === null) return item('up', 'Backup', written)
  return item('late', html`Backup failed ${timeOf('clock', failedAt, now, tz)}.`, html`The last one: ${written}${more}`)
}
