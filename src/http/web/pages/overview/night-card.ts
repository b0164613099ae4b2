/** The card with a summary of the night. It shows any problems. If there are none, it shows the runs that are expected next. */
import { isFine, type NightBrief } from '../../../../domain/night/brief.ts'
import { clockOf } from '../../../../domain/night/outcome-words.ts'
import { nightTitle } from '../../../../domain/night/sentence.ts'
import type { NightWindow } from '../../../../domain/night/window.ts'
import type { Project } from '../../../../domain/project.ts'
import type { Overview } from '../../../../services/overview/overview.ts'
import type { PageContext } from '../../context.ts'
import { checkPath } from '../../href.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { nightSum } from '../../parts/night/sentence.ts'
import { loadRow, nightRow, nightTable, togetherRow } from '../../parts/night/table.ts'
import { counted, numbered, shown } from '../../parts/words/text.ts'
import { comingList } from './coming-card.ts'

const NIGHT = '/night'

export function nightCard({ night, places }: Overview, context: PageContext): Html {
  if (places.every(({ checks }) => checks === 0)) return html`<section id="night-card" hidden></section>`
  if (night === 'reading')
    return frame('Night', null, context, line('The logs are being read. The night appears here in a moment.'))
  if (night === 'too-many')
    return frame('Night', null, context, line('There are too many checks to show the night here.'))
  const { brief, sentence, coming, unread } = night
  const content = isFine(brief) ? comingList(coming, context) : troubles(brief, context)
  const missing =
    unread > 0 &&
    line(
      `The checks of ${counted(unread, 'project', 'projects')} could not be read. The server log contains the reason.`,
    )
  const sum = html`<div class="body"><p class="sum">${nightSum(sentence, context)}</p></div>`
  return frame(nightTitle(brief.window, brief.now), brief.window, context, html`${sum}${missing}${content}`)
}

function line(words: string): Html {
  return html`<div class="body"><p>${words}</p></div>`
}

function frame(title: string, window: NightWindow | null, { href, tz }: PageContext, content: HtmlValue): Html {
  const when =
    window &&
    html`<p>${clockOf(window.from, tz)} to ${clockOf(window.until, tz)}, ${shown(tz.replaceAll('_', ' '))}</p>`
  return html`<section class="card clip tight" id="night-card" aria-labelledby="night-h"><header><h2 id="night-h">${title}</h2>${when}<a class="btn quiet small" href="${href(NIGHT)}">Open the night</a></header>${content}</section>`
}

function troubles(brief: NightBrief<Project>, context: PageContext): Html {
  const { href, tz } = context
  const { window, now, load, calm, notDue, moreTroubles } = brief
  const clock = { window, now, tz }
  const rows = brief.troubles.map(({ place, row }) =>
    nightRow(row, href(checkPath(place.slug, row.check.publicId)), clock),
  )
  const together = brief.together.map((group) => togetherRow(group, clock))
  const table = nightTable('What was not as expected', window, [
    load.most > 0 && loadRow(load, clock, (at) => href(`${NIGHT}?at=${at}`)),
    html`<tbody role="rowgroup">${rows}${together}</tbody>`,
  ])
  const more =
    moreTroubles > 0 && html`<a href="${href(NIGHT)}">${moreTroubles.toLocaleString('en')} more not as expected</a>`
  const words = numbered([calm.expected, 'as expected'], [calm.running, 'running'], [calm.toCome, 'to come'])
  const fine = words.length > 0 && html`<a href="${href(NIGHT)}">${words.join(', ')}</a>`
  const rest = notDue > 0 && html`<span class="muted">${notDue.toLocaleString('en')} not due</span>`
  return html`${table}<div class="card-end">${more}${fine}${rest}</div>`
}
