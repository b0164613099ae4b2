/** Validation: lengths in code points, and problems regardless of how they are reported. */
import { describe, expect, test } from 'bun:test'
import { problemInWords } from '../../src/domain/problem-words.ts'
import { codePoints, defineFormat, firstProblem, listProblems, Text, Type } from '../../src/domain/schema.ts'

test.each([
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['e\u0301', 2],
  ['💥', 1],
  ['👩‍👩‍👧', 5],
  ['\ud83d', 1],
])('%p has %p code points', (text, count) => {
  expect(codePoints(text)).toBe(count)
})

describe('a text', () => {
  test('is measured in code points, not in UTF-16 units', () => {
    const schema = Text({ maxLength: 3 })
    expect(firstProblem(schema, '💥💥💥')).toBeNull()
    expect(firstProblem(schema, '💥💥💥a')).toEqual({ path: '', violation: 'too long' })
    expect(firstProblem(schema, 'aaaa')).toEqual({ path: '', violation: 'too long' })
  })

  test('is checked by length, then by pattern, then by format', () => {
    defineFormat('x-even', (text) => text.length % 2 === 0)
    const schema = Text({ maxLength: 4, pattern: '^a*$', format: 'x-even' })
    expect(['bbbbb', 'b', 'a', 'aa'].map((text) => firstProblem(schema, text)?.violation ?? null)).toEqual([
      'too long',
      'mismatch',
      'bad format',
      null,
    ])
    expect(firstProblem(schema, 'a')).toEqual({ path: '', violation: 'bad format', format: 'x-even' })
  })

  test('of an undefined format is never valid', () => {
    expect(firstProblem(Text({ format: 'x-unknown' }), 'a')).toMatchObject({ violation: 'bad format' })
  })

  test.each(['\u0000', 'a\u0000', '\ud800', '\udc00a'])('that no database need take is wrong: %j', (text) => {
    expect(firstProblem(Text(), text)).toEqual({ path: '', violation: 'bad character' })
    expect(problemInWords({ path: '/name', violation: 'bad character' })).toBe(
      'name contains a NUL character or half of a surrogate pair',
    )
  })

  test('is told what else is wrong with it first', () => {
    expect(firstProblem(Text({ maxLength: 1 }), '\u0000\u0000')?.violation).toBe('too long')
    expect(firstProblem(Text({ pattern: '^[a-z]*$' }), 'a\u0000')?.violation).toBe('mismatch')
  })

  test('without options is any other text and nothing else', () => {
    expect(firstProblem(Text(), '\u0001\ufffe\ud83d\ude00\r\n')).toBeNull()
    for (const value of [1, null, [], {}, true]) expect(firstProblem(Text(), value)?.violation).toBe('not a string')
  })

  test('is described as a string', () => {
    expect(JSON.parse(JSON.stringify(Text({ maxLength: 3 })))).toEqual({ maxLength: 3, type: 'string' })
  })
})

describe('a problem', () => {
  test('has its path, and comes from the first property in the order of the schema', () => {
    const schema = Type.Object({ b: Type.Boolean(), a: Type.Object({ c: Type.Array(Text()) }) })
    expect(firstProblem(schema, { a: 1, b: 1 })).toEqual({ path: '/b', violation: 'not a boolean' })
    expect(firstProblem(schema, { a: { c: ['', 1] }, b: true })).toEqual({ path: '/a/c/1', violation: 'not a string' })
    expect(firstProblem(schema, { a: {}, b: true })).toEqual({ path: '/a/c', violation: 'missing' })
    expect(firstProblem(schema, { a: { c: {} }, b: true })).toEqual({ path: '/a/c', violation: 'not an array' })
  })

  test('with a number without limits is only that it is not a number', () => {
    expect(firstProblem(Type.Integer(), 1.5)).toEqual({ path: '', violation: 'not a number' })
    expect(firstProblem(Type.Integer(), -5)).toBeNull()
  })

  test('is listed once for each place, up to the limit', () => {
    const schema = Type.Object({ a: Type.Integer({ minimum: 1, maximum: 9 }), b: Text(), c: Text({ maxLength: 1 }) })
    const problems = [
      { path: '/b', violation: 'missing' },
      { path: '/a', violation: 'too large', accepted: '1 to 9' },
      { path: '/c', violation: 'too long', accepted: 'at most 1 characters' },
    ] as const
    expect(listProblems(schema, { a: 10, c: 'long' }, 10)).toEqual([...problems])
    expect(listProblems(schema, { a: 10, c: 'long' }, 2)).toEqual(problems.slice(0, 2))
    expect(listProblems(schema, { a: 1, b: '', c: '' }, 2)).toEqual([])
  })

  test('with a string or an object is that of the given type, and of neither for any other type', () => {
    const size = Type.Union([Type.Literal('s'), Type.Literal('l')])
    const schema = Type.Union([Text({ maxLength: 2 }), Type.Object({ a: size, b: Type.Optional(Type.Boolean()) })])
    expect(firstProblem(schema, 'abc')).toEqual({ path: '', violation: 'too long' })
    expect(firstProblem(schema, {})).toEqual({ path: '/a', violation: 'missing' })
    expect(firstProblem(schema, { a: 'm' })).toEqual({ path: '/a', violation: 'unexpected' })
    expect(firstProblem(schema, { a: 's', b: 1 })).toEqual({ path: '/b', violation: 'not a boolean' })
    expect(firstProblem(schema, [])).toEqual({ path: '', violation: 'not an object' })
    for (const neither of [null, 1, true]) {
      expect(firstProblem(schema, neither)).toEqual({ path: '', violation: 'unexpected' })
    }
  })

  test('is not reported for properties that the schema does not name', () => {
    expect(firstProblem(Type.Object({}), { x: undefined, y: 1 })).toBeNull()
  })
})
