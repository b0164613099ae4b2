/** What a list of checks is asked for in its address: `?q=etcd&tag=db&tag=infra&status=down&sort=-last`. */
import { isAdviceKind, isShownState, type ListQuery, SORTS } from '../../../../domain/list/check-list.ts'

const TEXT_LIMIT = 200
const TAGS_LIMIT = 20
const DEFAULT_SORT = 'name'

/** Everything that is not understood is left out: an address that somebody sent must not end in an error. */
export function readQuery(parameters: URLSearchParams): ListQuery {
  const tags = parameters.getAll('tag').filter((tag) => tag !== '')
  const sort = parameters.get('sort') ?? DEFAULT_SORT
  const isReversed = sort.startsWith('-')
  const wanted = isReversed ? sort.slice(1) : sort
  const known = SORTS.find((each) => each === wanted)
  return {
    text: (parameters.get('q') ?? '').trim().slice(0, TEXT_LIMIT),
    tags: [...new Set(tags)].slice(0, TAGS_LIMIT),
    states: [...new Set(parameters.getAll('status').filter(isShownState))],
    advice: [...new Set(parameters.getAll('advice').filter(isAdviceKind))],
    sort: known ?? DEFAULT_SORT,
    isReversed: known !== undefined && isReversed,
  }
}

/** The query of an address, with its question mark; '' for a list that is not filtered. */
export function searchOf({ text, tags, states, advice, sort, isReversed }: ListQuery): string {
  const parameters = new URLSearchParams()
  if (text !== '') parameters.append('q', text)
  for (const tag of tags) parameters.append('tag', tag)
  for (const state of states) parameters.append('status', state)
  for (const kind of advice) parameters.append('advice', kind)
  if (sort !== DEFAULT_SORT || isReversed) parameters.append('sort', isReversed ? `-${sort}` : sort)
  const search = parameters.toString()
  return search === '' ? '' : `?${search}`
}

/** Number of filters, each tag, state and kind of advice for itself. */
export function filtersIn({ text, tags, states, advice }: ListQuery): number {
  return Number(text !== '') + tags.length + states.length + advice.length
}

export const EVERYTHING: Pick<ListQuery, 'text' | 'tags' | 'states' | 'advice'> = {
  text: '',
  tags: [],
  states: [],
  advice: [],
}

/** With what is not in the list, or without what is. */
export function toggled<Item>(list: readonly Item[], item: Item): readonly Item[] {
  return list.includes(item) ? list.filter((each) => each !== item) : [...list, item]
}
