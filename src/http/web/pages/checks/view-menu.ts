/**
 * The menu that changes how the list is displayed. The sort order is stored in the URL, whereas the row height and the rows' content are
 * stored in the account.
 */
import { LIST_PICTURES, LIST_ROWS, type ListPicture, type ListRows } from '../../../../domain/account/account.ts'
import { type ListQuery, SORTS, type Sort } from '../../../../domain/list/check-list.ts'
import { setListLook } from '../../../../services/accounts/accounts.ts'
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
const PICTURE_WORDS: Readonly<Record<ListPicture, string>> = { runs: '30 runs', '24h': '24 h' }

export interface ViewMenu {
  /** path of the list of checks, including the SITE_ROOT path prefix */
  readonly path: string
  readonly query: ListQuery
  readonly rows: ListRows
  readonly picture: ListPicture
}

export function viewMenu({ path, query, rows, picture }: ViewMenu): Html {
  const orders = SORTS.flatMap((sort) => [false, true].map((isReversed) => ({ sort, isReversed })))
  const links = orders.map(({ sort, isReversed }) => {
    const isChosen = sort === query.sort && isReversed === query.isReversed
    return html`<li><a href="${path}${searchOf({ ...query, sort, isReversed })}"${isChosen && html` aria-current="true"`}>${SORT_WORDS[sort][isReversed ? 1 : 0]}</a></li>`
  })
  const heights = LIST_ROWS.map(
    (each) =>
      html`<button class="btn small" form="view" name="rows" value="${each}"${each === rows && html` aria-current="true"`}>${ROWS_WORDS[each]}</button>`,
  )
  return html`<details class="drop"><summary class="btn">${icon('gear')}View${icon('down')}</summary><div class="panel"><div class="of-phone"><b>Show</b><div class="acts">${pictureButtons(picture, 'btn small')}</div></div><b>Rows</b><div class="acts">${heights}</div><b>Order inside a group</b><ul>${links}</ul><input type="hidden" form="view" name="match" value="${searchOf(query)}"></div></details>`
}

/** Renders the switch between showing the last runs and the last 24 hours. Phones have this switch in the menu instead. */
export function pictureSwitch(chosen: ListPicture): Html {
  return html`<div class="seg" role="group" aria-label="Show">${pictureButtons(chosen, null)}</div>`
}

/**
 * Renders the switch's buttons. The switch's keyboard shortcut activates the button that is not selected.
 * @param look CSS class of the buttons; null to style them as a switch, which also adds the keyboard shortcut
 */
function pictureButtons(chosen: ListPicture, look: string | null): readonly Html[] {
  return LIST_PICTURES.map((each) => {
    const state = each === chosen ? html` aria-current="true"` : look === null && html` data-key="v"`
    return html`<button${look !== null && html` class="${look}"`} form="view" name="picture" value="${each}"${state}>${PICTURE_WORDS[each]}</button>`
  })
}

/** Renders the form that the buttons submit. It's a separate form, because the buttons are inside another one. */
export function viewForm(action: string): Html {
  return html`<form id="view" method="post" action="${action}" hidden></form>`
}

/** Stores the user's choice and redirects to the list. */
export async function changeView(deps: PageDeps, { actor, person, form }: ProjectVisit): Promise<PageAnswer> {
  const rows = LIST_ROWS.find((each) => each === form.text('rows'))
  const picture = LIST_PICTURES.find((each) => each === form.text('picture'))
  const look = { ...(rows && { listRows: rows }), ...(picture && { listPicture: picture }) }
  if (rows || picture) await setListLook(deps, person, look)
  const query = readQuery(new URLSearchParams(form.text('match')))
  return { kind: 'redirect', to: projectPath(actor.project.slug, 'checks') + searchOf(query) }
}
