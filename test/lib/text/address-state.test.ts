import { expect, test } from 'bun:test'
import {
  addressState,
  flag,
  oneOf,
  oneOfOr,
  parsed,
  several,
  text,
  textLike,
} from '../../../src/lib/text/address-state.ts'

interface List {
  readonly text: string
  readonly tags: readonly string[]
  readonly state: 'up' | 'down' | null
  readonly size: 2 | 3
  readonly day: string
  readonly after: number | null
  readonly isOpen: boolean
}

const list = addressState<List>({
  text: text('q', 10),
  tags: several('tag', (tags) => tags.filter((tag) => tag !== '')),
  state: oneOf('state', ['up', 'down'], (state) => `is-${state}`),
  size: oneOfOr('size', [2, 3], 2),
  day: textLike('day', (day) => /^\d{4}$/.test(day)),
  after: parsed('after', (after) => (/^\d+$/.test(after) ? Number(after) : null), String),
  isOpen: flag('open'),
})
const read = (search: string) => list.read(new URLSearchParams(search))
const DEFAULT: List = { text: '', tags: [], state: null, size: 2, day: '', after: null, isOpen: false }

test('what is as by default is not written', () => {
  expect(list.search(DEFAULT)).toBe('')
  expect(list.pairs(DEFAULT)).toEqual([])
  expect(read('')).toEqual(DEFAULT)
})

test('what is written is read again, in the order of the parts', () => {
  const state: List = {
    text: 'a&b=c',
    tags: ['db', 'a b'],
    state: 'down',
    size: 3,
    day: '2026',
    after: 7,
    isOpen: true,
  }
  const search = list.search(state)
  expect(search).toBe('?q=a%26b%3Dc&tag=db&tag=a+b&state=is-down&size=3&day=2026&after=7&open=')
  expect(read(search)).toEqual(state)
  expect(read('open')).toEqual({ ...DEFAULT, isOpen: true })
})

test('what is not understood counts as not given', () => {
  expect(read('q=&tag=&state=down&size=4&day=soon&after=x&other=1')).toEqual(DEFAULT)
  expect(read('q=+0123456789ab+&tag=db&tag=db')).toEqual({ ...DEFAULT, text: '0123456789', tags: ['db'] })
})
