import { expect, test } from 'bun:test'
import { readDocuments } from '../../../../src/cli/import/proposals/yaml-documents.ts'

const letters = 'bcdefghij'.split('')
const BOMB = [
  'a: &a [x,x,x,x,x,x,x,x,x]',
  ...letters.map((letter, index) => `${letter}: &${letter} [${Array(9).fill(`*${'abcdefghi'[index]}`).join(',')}]`),
].join('\n')
test.each([
  ['aliases in aliases', BOMB, 2, 'aliases expand to too much data'],
  ['brackets in brackets', `a:\n- ${'['.repeat(15_000)}`, 2, 'nested too deeply'],
  ['a quote that is never closed', 'a: 1\nb: "b\nc: 1\n', 2, 'a quote is not closed'],
  ['half of a map', '{"a": \n', 1, 'must end with a }'],
  ['an alias of nothing', 'x: 1\na: *b', 2, 'an alias has no anchor'],
  ['stars without quotes', 'a: 1\nschedule: */5 * * * *\n', 2, 'must be in quotes'],
  ['an at sign without quotes', 'a: 1\nschedule: @daily\n', 2, 'a value that begins with "@" must be in quotes'],
  ['a percent sign without quotes', 'a: 1\nb: %x\n', 2, 'a value that begins with "%" must be in quotes'],
  ['a number that is merged', 'a: 1\nb: {<<: 5}\n', 2, 'the value of "<<" is not a map'],
  ['a map that merges itself', 'a: &a\n  <<: *a\n', 0, 'nested too deeply'],
  ['a star without quotes', 'a: 1\nschedule: * * * * *\n', 2, 'must be in quotes'],
  ['a tab', 'a:\n\tb: 1\n', 2, 'Tabs are not allowed'],
  ['a key twice', 'a: {b: 1,\n  b: 2}\n', 2, 'a key occurs twice: b'],
  ['a template of Helm', 'kind: CronJob\nmetadata:\n  name: {{ .Release.Name }}\n', 3, 'it is a template'],
  ['parts of a template', '{{- if .Values.on }}\nkind: CronJob\n{{- end }}\n', 1, 'it is a template'],
  ['prose', 'hello\n', 1, 'it is plain text'],
] as const)('a document with %s is told with its line, and the others are read', (_, text, line, reason) => {
  const [first, faulty, last] = readDocuments(`a: 1\n---\n${text}\n--- # last\nb: 2\n`)
  expect(first).toEqual({ line: 1, tree: { a: 1 } })
  expect(faulty).toMatchObject({ line: line + 2, reason: expect.stringContaining(reason) })
  expect(faulty).toMatchObject({ isTemplate: reason === 'it is a template' })
  expect(last).toMatchObject({ tree: { b: 2 } })
})

test.each([
  ['a mark of the byte order', '\uFEFFa: 1\n', [[1, { a: 1 }]]],
  [
    'ends of lines of Windows',
    'a: 1\r\n---\r\nb: 2\r\n',
    [
      [1, { a: 1 }],
      [2, { b: 2 }],
    ],
  ],
  ['documents of comments', '---\n# Source: a\n---\n---\na: 1\n', [[4, { a: 1 }]]],
  [
    'a directive, and an end',
    '%YAML 1.2\n---\na: 1\n...\n---\nb: 2\n',
    [
      [2, { a: 1 }],
      [5, { b: 2 }],
    ],
  ],
  ['a marker in a text', 'a: |\n  ---\n  x\n', [[1, { a: '---\nx\n' }]]],
  ['braces in a text', 'a: "{{ x }}"\n', [[1, { a: '{{ x }}' }]]],
  ['keys that are merged', 'x: &x {a: 1}\ny: {<<: *x, b: 2}\n', [[1, { x: { a: 1 }, y: { a: 1, b: 2 } }]]],
  [
    'a list of JSON',
    '[{"a": 1}, {"b": 2}]',
    [
      [1, { a: 1 }],
      [1, { b: 2 }],
    ],
  ],
  [
    'lists of maps that are merged',
    'x: &x {a: 1}\ny: &y {a: 2, b: 2}\nz: {<<: [*x, *y]}\n',
    [[1, { x: { a: 1 }, y: { a: 2, b: 2 }, z: { a: 1, b: 2 } }]],
  ],
  [
    'two merge keys in a map',
    'x: &x {a: 1}\ny: &y {b: 2}\nz: {<<: *x, <<: *y}\n',
    [[1, { x: { a: 1 }, y: { b: 2 }, z: { a: 1, b: 2 } }]],
  ],
  [
    'marks of the byte order of joined files',
    '\uFEFFa: 1\n\uFEFF---\nb: 2\n',
    [
      [1, { a: 1 }],
      [2, { b: 2 }],
    ],
  ],
  ['a mark before JSON', '\uFEFF{"a": 1}', [[1, { a: 1 }]]],
  [
    'objects of JSON one after the other',
    '{"a": 1}\n{\n  "b": 2\n}\n{"c": 3}\n',
    [
      [1, { a: 1 }],
      [2, { b: 2 }],
      [5, { c: 3 }],
    ],
  ],
  ['nothing', '\n# nothing\n', []],
] as const)('%s: its documents and their lines', (_, text, expected) => {
  const read = readDocuments(text).map((one) => [one.line, 'tree' in one ? one.tree : one.reason])
  expect(read).toEqual(expected as never)
})

test('an anchor may be used hundreds of times', () => {
  const uses = Array.from({ length: 500 }, () => '- *x').join('\n')
  expect(readDocuments(`x: &x {a: 1}\ny:\n${uses}\n`)).toMatchObject([{ line: 1 }])
})

test('the keys of a large map are read in one pass', () => {
  const keys = Array.from({ length: 5_000 }, (_, index) => `k${index}: 1\n`).join('')
  expect(readDocuments(`${keys}k5: 2\n`)).toMatchObject([{ line: 5_001, reason: 'a key occurs twice: k5' }])
})

test('an object of JSON may be larger than a document of YAML, also behind another one', () => {
  const large = JSON.stringify({ a: 'x'.repeat(4_000_001) })
  const read = readDocuments(`{"b": 1}\n${large}\n---\n${large.slice(0, -1)}\n`)
  expect(read.map((one) => ('tree' in one ? Object.keys(one.tree) : one.reason))).toEqual([
    ['b'],
    ['a'],
    'a YAML document may have at most 4 MB',
  ])
})
