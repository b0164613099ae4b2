/** Functions generated from the members of the object to create. */
import { expect, test } from 'bun:test'
import { compileObject } from '../../src/lib/compiled-object.ts'

test('members come in their order, each with the value of its expression', () => {
  type Row = { readonly flag: number; readonly text: string }
  const compiled = compileObject<(row: Row, more: { readonly 'a"b': number }) => object>(['row', 'more'], {
    'a"b': 'more["a\\"b"]',
    isSet: 'row.flag === 1',
    text: 'row.text',
  })
  expect(JSON.stringify(compiled({ flag: 1, text: 'x' }, { 'a"b': 2 }))).toBe('{"a\\"b":2,"isSet":true,"text":"x"}')
})
