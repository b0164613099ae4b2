/** The card about the server. It shows whether monitoring is running, the last outage, and the last backup. */
import type { ShownState } from '../../../../domain/check/shown-check.ts'
import { spanInWords } from '../../../../domain/duration.ts'
import { megabytes } from '../../../../lib/text/text.ts'
import type { ServerState } from '../../../../services/server/server-state.ts'
import type { PageContext } from '../../context.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { stateShape } from '../../parts/words/states.ts'
import { relativeTime, timeOf } from '../../parts/words/times.ts'
import { ADMIN_TABS } from '../admin/tabs.ts'

/** @param showsInstances true to link to the list of instances, which only administrators may see */
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
  if (isWatching) return item('up', 'Monitoring checks.', look)
  return item(
    'down',
    'Not monitoring checks.',
    html`${look} Overdue checks may go unnoticed. The server log contains the reason.`,
  )
}

function outage({ outage: gap }: ServerState, { now, tz }: PageContext): Html | null {
  if (gap === null) return null
  const seconds = gap.from.until(gap.until).total('seconds')
  const [from, until] = [timeOf('clock', gap.from, now, tz), timeOf('clock', gap.until, now, tz)]
  // The two times don't include seconds, so give the duration of a short outage instead of its end.
  const when = seconds < 60 ? html`${from}, for ${spanInWords(seconds)}` : html`${from} to ${until}`
  return item(
    'late',
    html`Had an outage ${when}.`,
    'Checks that were due in that time got an additional grace time of up to 15 minutes.',
  )
}

/** @param isForAdministrators true to report a missing backup, because only administrators can create one */
function backup(
  { backup: state }: ServerState,
  { href, now, tz }: PageContext,
  isForAdministrators: boolean,
): Html | null {
  if (state === null) return null
  const { newest, failedAt, isOld } = state
  if (newest === null && failedAt === null && !(isOld && isForAdministrators)) return null
  const written = newest && html`written ${timeOf('clock', newest.at, now, tz)}, ${megabytes(newest.bytes)}.`
  const last = written === null ? 'No backup has been written yet.' : html`The last backup was ${written}`
  const more = isForAdministrators && html` <a href="${href(ADMIN_TABS.backups.path)}">Backups</a>`
  if (failedAt === null && isOld) {
    return item('late', newest ? 'No backup for a week.' : 'No backup.', html`${newest && last}${more}`)
  }
  if (failedAt === null) return item('up', 'Backup', written)
  return item('late', html`Backup failed ${timeOf('clock', failedAt, now, tz)}.`, html`${last}${more}`)
}
