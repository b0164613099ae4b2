/** The list of checks as a table of two groups, written piece by piece. */
import type { ListEntry, ListQuery, Sort } from '../../../../domain/check/check-list.ts'
import type { CheckList } from '../../../../services/check-list.ts'
import { type Html, html } from '../../html.ts'
import { CHECK_COLUMNS, type CheckRowContext, checkRow } from '../../parts/check-row.ts'
import { searchOf } from './query.ts'

export interface TableData extends CheckRowContext {
  /** of the page, with the path of SITE_ROOT */
  readonly path: string
  readonly query: ListQuery
  /** true: it has all checks of the project by name, so the script adds those that are made while the page is open */
  readonly grows: boolean
}

/** @param rows what {@link tableRows} yields */
export function table(data: TableData, rows: Html | readonly Html[]): Html {
  const box = data.canWrite ? html`<input type="checkbox" id="select-all" aria-label="Select all shown">` : ''
  return html`<table class="${data.canWrite ? 'list' : 'list read'}" id="list" aria-label="Checks"${data.grows && html` data-grows`}><thead><tr><td>${box}<th scope="col">Status${head(data, 'name', 'Check')}<th scope="col">Schedule${head(data, 'last', 'Last ping')}${head(data, 'next', 'Next expected')}${head(data, 'duration', 'Duration')}<th scope="col">Last 30 runs</thead>
${rows}</table>`
}

/** A heading that sorts, and sorts the other way when it is used again. */
function head({ path, query }: TableData, sort: Sort, words: string): Html {
  const isChosen = query.sort === sort
  const to = searchOf({ ...query, sort, isReversed: isChosen && !query.isReversed })
  // Names begin with A; all others with the newest, the longest, the one that comes first.
  const isAscending = query.isReversed !== (sort === 'name' || sort === 'next')
  return html`<th scope="col"${isChosen && html` aria-sort="${isAscending ? 'ascending' : 'descending'}"`}><a href="${path}${to}">${words}</a>`
}

/** Both groups, also one without rows, so that a row can move into it. */
export async function* tableRows(
  list: CheckList,
  entries: readonly ListEntry[],
  context: CheckRowContext,
): AsyncGenerator<Html> {
  const isNeeded = (entry: ListEntry) => entry.isNeeded
  const all = list.entries
  const groups = [
    { id: 'needs', words: 'Needs you', number: all.filter(isNeeded).length, of: entries.filter(isNeeded) },
    {
      id: 'others',
      words: 'As expected',
      number: all.filter((entry) => !isNeeded(entry)).length,
      of: entries.filter((entry) => !isNeeded(entry)),
    },
  ]
  for (const { id, words, number, of } of groups) {
    yield html`<tbody id="${id}"><tr class="group"><th scope="rowgroup" colspan="${CHECK_COLUMNS}">${words} <b id="n-${id}">${number}</b>
`
    for await (const views of list.views(of)) yield html`${views.map((view) => checkRow(view, context))}`
  }
}
