/** The list of checks as a table with groups. The table is rendered in pieces. */
import type { ListPicture, ListRows } from '../../../../domain/account/account.ts'
import type { Check } from '../../../../domain/check/check.ts'
import { GROUPS, type Group, type ListEntry, type ListQuery, type Sort } from '../../../../domain/list/check-list.ts'
import type { CheckList } from '../../../../services/overview/check-list.ts'
import { type Html, html } from '../../html.ts'
import { CHECK_COLUMNS, type CheckRowContext, checkRow } from './check-row.ts'
import { type DayCells, dayHead } from './day.ts'
import { searchOf } from './query.ts'

export interface TableData extends Omit<CheckRowContext, 'days'> {
  /** the page's path, including the SITE_ROOT path prefix */
  readonly path: string
  readonly query: ListQuery
  /**
   * true if the list contains all of the project's checks and is sorted by name. The script can then add checks that are created while the
   * page is open
   */
  readonly grows: boolean
  readonly rows: ListRows
  readonly picture: ListPicture
  /** Loads the cells for the last 24 hours of the given checks. */
  readonly readDays: (checks: readonly Check[]) => Promise<DayCells>
}

/** @param rows the rows from {@link tableRows} */
export function table(data: TableData, rows: Html | readonly Html[]): Html {
  const box = data.canWrite ? html`<input type="checkbox" id="select-all" aria-label="Select all shown">` : ''
  const look = [
    'list',
    ...(data.canWrite ? [] : ['read']),
    ...(data.rows === 'roomy' ? ['roomy'] : []),
    ...(data.picture === '24h' ? ['day'] : []),
  ].join(' ')
  return html`<table class="${look}" id="list" aria-label="Checks"${data.grows && html` data-grows`}><thead><tr><td>${box}<th scope="col">Status${head(data, 'name', 'Check')}<th scope="col">Schedule · grace<th scope="col">Alerts${lastHeads(data)}</thead>
${rows}</table>`
}

function lastHeads(data: TableData): Html {
  const next = head(data, 'next', 'Next')
  if (data.picture === '24h') return html`<td>${next}<td>${dayHead(data.now.epochMilliseconds, data.tz)}`
  return html`${head(data, 'last', 'Since last')}${next}${head(data, 'duration', 'Took')}<th scope="col">Last 30 runs`
}

/** Renders a heading with a link that sorts by the column. Clicking again reverses the order. */
function head({ path, query }: TableData, sort: Sort, words: string): Html {
  const isChosen = query.sort === sort
  const to = searchOf({ ...query, sort, isReversed: isChosen && !query.isReversed })
  // By default, sort names and due times in ascending order, and all other columns in descending order.
  const isAscending = query.isReversed !== (sort === 'name' || sort === 'next')
  return html`<th scope="col"${isChosen && html` aria-sort="${isAscending ? 'ascending' : 'descending'}"`}><a href="${path}${to}">${words}</a>`
}

/** The heading of each group, and the selector for its rows. A row belongs to the first matching group. */
const GROUP_WORDS: Readonly<Record<Group, readonly [words: string, rows: string]>> = {
  needs: ['Needs attention', '.down,.late:not(.slow),.untold,.unwatched'],
  slow: ['Slow or late but running', '.slow'],
  expected: ['As expected', '.up,.started'],
  unpinged: ['Not pinged yet', '.new'],
  stopped: ['Paused', '.paused'],
}

/** Yields all groups, including hidden ones without rows, so that the script can move a row into any group. */
export async function* tableRows(
  list: CheckList,
  entries: readonly ListEntry[],
  data: TableData,
): AsyncGenerator<Html> {
  const matching = Map.groupBy(list.entries, ({ group }) => group)
  const shown = Map.groupBy(entries, ({ group }) => group)
  for (const group of GROUPS) {
    const number = matching.get(group)?.length ?? 0
    const [words, selector] = GROUP_WORDS[group]
    yield html`<tbody id="${group}" data-rows="${selector}"><tr class="group"><th scope="rowgroup" colspan="${CHECK_COLUMNS}">${words} <b id="n-${group}">${number}</b>
`
    for await (const views of list.views(shown.get(group) ?? [])) {
      const days = data.picture === '24h' ? await data.readDays(views.map(({ check }) => check)) : null
      yield html`${views.map((view) => checkRow(view, { ...data, days }))}`
    }
  }
}
