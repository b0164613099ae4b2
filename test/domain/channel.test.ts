/** How a request names channels. */
import { describe, expect, test } from 'bun:test'
import { CHANNEL_KINDS, isChannelKind, selectChannels } from '../../src/domain/channel.ts'
import { Refusal } from '../../src/domain/errors.ts'

const A = 'aaaaaaaa-0000-4000-8000-000000000001'
const B = 'bbbbbbbb-0000-4000-8000-000000000002'
const C = 'cccccccc-0000-4000-8000-000000000003'
const D = 'dddddddd-0000-4000-8000-000000000004'
const AVAILABLE = [
  { id: A, name: 'mail' },
  { id: B, name: 'On call' },
  { id: C, name: 'twice' },
  { id: D, name: 'twice' },
]

test.each([
  ['*', [A, B, C, D]],
  ['', []],
  [A, [A]],
  ['mail', [A]],
  [`On call,${C}`, [B, C]],
  [`${B},mail`, [B, A]],
  [`mail,${A},mail`, [A]],
])('%p means %p', (text, ids) => {
  expect(selectChannels(text, AVAILABLE)).toEqual(ids)
})

describe('the first item that is not understood is named', () => {
  test.each([
    [',', 'empty channel identifier'],
    ['mail,', 'empty channel identifier'],
    ['mail,,nobody', 'empty channel identifier'],
    ['nobody,twice', 'invalid channel identifier: nobody'],
    ['twice,nobody', 'non-unique channel identifier: twice'],
    ['mail, On call', 'invalid channel identifier:  On call'],
    ['Mail', 'invalid channel identifier: Mail'],
    ['mail,*', 'invalid channel identifier: *'],
    [' ', 'invalid channel identifier:  '],
    [A.toUpperCase(), `invalid channel identifier: ${A.toUpperCase()}`],
  ])('%p', (text, message) => {
    expect(() => selectChannels(text, AVAILABLE)).toThrow(new Refusal('invalid', message))
  })
})

test('a channel without a name is not chosen by an empty item', () => {
  expect(() => selectChannels(',', [{ id: A, name: '' }])).toThrow('empty channel identifier')
})

test('a name shaped like a UUID works, and counts together with the UUID it repeats', () => {
  expect(selectChannels(D, [{ id: A, name: D }])).toEqual([A])
  expect(() =>
    selectChannels(A, [
      { id: A, name: 'x' },
      { id: B, name: A },
    ]),
  ).toThrow(`non-unique channel identifier: ${A}`)
  expect(selectChannels(A, [{ id: A, name: A }])).toEqual([A])
})

test('kinds are known by their exact names', () => {
  expect(CHANNEL_KINDS).toHaveLength(29)
  expect(CHANNEL_KINDS.every(isChannelKind)).toBe(true)
  expect(['Email', '', 'toString', 'fax'].some(isChannelKind)).toBe(false)
})
