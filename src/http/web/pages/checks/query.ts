/** Parses and builds the URL of a list of checks, such as `?q=etcd&tag=db&tag=infra&status=down&sort=-last`. */
import { isAdviceFilter, isShownState, type ListQuery, SORTS } from '../../../../domain/list/check-list.ts'
import { addressState, several, text } from '../../../../lib/text/address-state.ts'

const TEXT_LIMIT = 200
const TAGS_LIMIT = 20
const DEFAULT_SORT = 'name'

export const {
  read: readQuery,
  pairs: pairsOf,
  search: searchOf,
} = addressState<ListQuery>({
  text: text('q', TEXT_LIMIT),
  tags: several('tag', (tags) => tags.filter((tag) => tag !== '').slice(0, TAGS_LIMIT)),
  states: several('status', (states) => states.filter(isShownState)),
  advice: several('advice', (sorts) => sorts.filter(isAdviceFilter)),
  sort: {
    read: (parameters) => readSort(parameters).sort,
    write: (sort, { isReversed }) => {
      return sort === DEFAULT_SORT && !isReversed ? [] : [['sort', isReversed ? `-${sort}` : sort]]
    },
  },
  isReversed: { read: (parameters) => readSort(parameters).isReversed, write: () => [] },
})

function readSort(parameters: URLSearchParams): Pick<ListQuery, 'sort' | 'isReversed'> {
  const [, minus, name] = /^(-?)(.*)$/.exec(parameters.get('sort') ?? '') ?? []
  const sort = SORTS.find((each) => each === name)
  return { sort: sort ?? DEFAULT_SORT, isReversed: sort !== undefined && minus === '-' }
}

/** Counts the active filters. The search text counts as one filter, and so does each tag, state and kind of advice. */
export function filtersIn({ text, tags, states, advice }: ListQuery): number {
  return Number(text !== '') + tags.length + states.length + advice.length
}

export const EVERYTHING: Pick<ListQuery, 'text' | 'tags' | 'states' | 'advice'> = {
  text: '',
  tags: [],
  states: [],
  advice: [],
}

/** Returns the list with the value toggled: removed if it was in the list, and added otherwise. */
export function toggled<Item>(list: readonly Item[], item: Item): readonly Item[] {
  return list.includes(item) ? list.filter((each) => each !== item) : [...list, item]
}
