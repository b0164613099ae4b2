/** Names of channels in requests. */
import { describe, expect, test } from 'bun:test'
import { countHearing, selectChannels } from '../../../src/domain/channel/channel.ts'
import { Refusal } from '../../../src/domain/errors.ts'
import { aChannel } from '../../support/builders.ts'

const A = 'aaaaaaaa-0000-4000-8000-000000000001'
const B = 'bbbbbbbb-0000-4000-8000-000000000002'
const C = 'cccccccc-0000-4000-8000-000000000003'
const D = 'dddddddd-0000-4000-8000-000000000004'
const AVAILABLE = [
  { id: A, name: 'mail', kind: 'email' },
  { id: B, name: 'On call', kind: 'webhook' },
  { id: C, name: 'twice', kind: 'webhook' },
  { id: D, name: 'twice', kind: 'email' },
] as const
/** Returns the ids of the channels in a project that the text selects. */
const select = (text: string, available: Parameters<typeof selectChannels>[1] = AVAILABLE) =>
  selectChannels(text, available, 'P')

test.each([
  ['*', [A, B, C, D]],
  ['', []],
  [A, [A]],
  ['mail', [A]],
  [`On call,${C}`, [B, C]],
  [`${B},mail`, [B, A]],
  [`mail,${A},mail`, [A]],
])('%p means %p', (text, ids) => {
  expect(select(text)).toEqual(ids)
})

describe('the error names the first invalid item', () => {
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
    expect(() => select(text)).toThrow(new Refusal('channel-list-invalid', message, { name: '', project: 'P' }))
  })
})

test('a name of several channels lists their ids and kinds', () => {
  const data = { name: 'twice', project: 'P', problems: [`${C}  webhook`, `${D}  email`] }
  expect(() => select('twice')).toThrow(expect.objectContaining({ data }))
})

test('an empty item does not select a channel without a name', () => {
  expect(() => select(',', [{ id: A, name: '', kind: 'email' }])).toThrow('empty channel identifier')
})

test('a name shaped like a UUID works, and counts together with the UUID it repeats', () => {
  expect(select(D, [{ id: A, name: D, kind: 'email' }])).toEqual([A])
  expect(() =>
    select(A, [
      { id: A, name: 'x', kind: 'email' },
      { id: B, name: A, kind: 'email' },
    ]),
  ).toThrow(`non-unique channel identifier: ${A}`)
  expect(select(A, [{ id: A, name: A, kind: 'email' }])).toEqual([A])
})

test('an alert goes to each channel once, and to none that is off or waits for its owner', () => {
  const [a, b] = [aChannel({ id: A }), aChannel({ id: B })]
  const group = aChannel({ id: C, kind: 'group', settings: `${A},${B}` })
  expect(countHearing([A, C], [a, b, group])).toBe(2)
  expect(countHearing([C], [a, { ...b, disabledReason: 'gone' }, group])).toBe(1)
  expect(countHearing([A, B], [{ ...a, awaitsConfirmation: true }, b])).toBe(1)
  expect(countHearing([C], [a, b, { ...group, disabledReason: 'gone' }])).toBe(0)
})
