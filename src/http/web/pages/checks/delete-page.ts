/** The page that asks whether to delete the selected checks. Its form names each counted check, so that no other checks are deleted. */

import type { ListQuery } from '../../../../domain/list/check-list.ts'
import { inBatches } from '../../../../lib/work/batches.ts'
import { readCheckList } from '../../../../services/overview/check-list.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { hiddenField } from '../../parts/forms/fields.ts'
import { bdi, counted } from '../../parts/words/text.ts'
import type { FrameContent, ProjectVisit } from '../../route.ts'
import { formPage } from '../form-page.ts'
import { EVERYTHING, searchOf } from './query.ts'

/** Maximum number of checks to name. The rest are summarized as a count. */
const NAMED = 10
/** Number of fields to render in one step, which takes less than a millisecond. */
const FIELDS_AT_ONCE = 500

interface Selection {
  readonly query: ListQuery
  /** public ids of the selected checks */
  readonly selected: readonly string[]
}

/** @returns null if none of the checks is in the project */
export async function deletePage(
  deps: PageDeps,
  { actor, site: { href } }: ProjectVisit,
  { query, selected }: Selection,
): Promise<FrameContent | null> {
  const wanted = new Set(selected)
  const all = await readCheckList(deps, actor, { ...query, ...EVERYTHING }, deps.now())
  const entries = all.entries.filter(({ publicId }) => wanted.has(publicId))
  if (entries.length === 0) return null
  const path = projectPath(actor.project.slug, 'checks')
  const back = path + searchOf(query)
  const things = counted(entries.length, 'check', 'checks')
  const names = entries
    .slice(0, NAMED)
    .map(({ name }) => html`<li>${name === '' ? html`<i>no name</i>` : bdi(name)}</li>`)
  const rest = entries.length - names.length
  const fields: Html[] = []
  for (const some of inBatches(entries, FIELDS_AT_ONCE)) {
    await deps.budget.available()
    fields.push(html`${some.map(({ publicId }) => hiddenField('c', publicId))}`)
  }
  return formPage({
    href,
    title: `Delete ${things}?`,
    crumbs: [{ path: back, text: 'Checks' }],
    action: path,
    fields: html`<ul class="names">${names}${rest > 0 && html`<li>and ${rest} more</li>`}</ul>
<p>Their logs and uptime histories will also be deleted. Pings to their URLs will get a 404. This can't be undone.</p>
${hiddenField('match', searchOf(query))}${hiddenField('confirmed', '1')}${fields}`,
    button: { text: `Delete ${things}`, look: 'danger', field: { name: 'action', value: 'delete' } },
  })
}
