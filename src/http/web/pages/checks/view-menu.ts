/** How a person looks at the list: the order of the rows, which is in the address, and their height, which is kept. */
import { LIST_ROWS, type ListRows } from '../../../../domain/account/account.ts'
import { type ListQuery, SORTS, type Sort } from '../../../../domain/list/check-list.ts'
import { setListRows } from '../../../../services/accounts/accounts.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { icon } from '../../parts/icons.ts'
import type { PageAnswer, ProjectVisit } from '../../route.ts'
import { readQuery, searchOf } from './query.ts'

const SORT_WORDS: Readonly<Record<Sort, readonly [words: string, reversed: string]>> = {
  name: ['Name', 'Name, Z first'],
  last: ['Last ping, newest first', 'Last ping, oldest first'],
  next: ['Next expected, soonest first', 'Next expected, latest first'],
  duration: ['Duration, longest first', 'Duration, shortest first'],
  created: ['Newest first', 'Oldest first'],
}

const ROWS_WORDS: Readonly<Record<ListRows, string>> = { dense: 'Dense', roomy: 'Roomy' }

export interface ViewMenu {
  /** of the page of the checks, with the path of SITE_ROOT */
  readonly path: string
  readonly query: ListQuery
  readonly rows: ListRows
}

export function viewMenu({ path, query, rows }: ViewMenu): Html {
  const orders = SORTS.flatMap((sort) => [false, true].map((isReversed) => ({ sort, isReversed })))
  const links = orders.map(({ sort, isReversed }) => {
    const isChosen = sort === query.sort && isReversed === query.isReversed
    return html`<li><a href="${path}${searchOf({ ...query, sort, isReversed })}"${isChosen && html` aria-current="true"`}>${SORT_WORDS[sort][isReversed ? 1 : 0]}</a></li>`
  })
  const heights = LIST_ROWS.map(
    (each) =>
      html`<button class="btn small" form="view" name="rows" value="${each}"${each === rows && html` aria-current="true"`}>${ROWS_WORDS[each]}</button>`,
  )
  return html`<details class="drop"><summary class="btn">${icon('gear')}View${icon('down')}</summary><div class="panel"><b>Rows</b><div class="acts">${heights}</div><b>Order inside a group</b><ul>${links}</ul><input type="hidden" form="view" name="match" value="${searchOf(query)}"></div></details>`
}

/** The form of the buttons in the menu, which stands in another form. */
export function viewForm(action: string): Html {
  return html`<form id="view" method="post" action="${action}" hidden></form>`
}

/** Keeps the height of the rows for the person, and leads back to the list. */
export async function changeView(deps: PageDeps, { actor, person, form }: ProjectVisit): Promise<PageAnswer> {
  const rows = LIST_ROWS.find((each) => each === form.text('rows'))
  if (rows) await setListRows(deps, person, rows)
  const query = readQuery(new URLSearchParams(form.text('match')))
  return { kind: 'redirect', to: projectPath(actor.project.slug, 'checks') + searchOf(query) }
}
