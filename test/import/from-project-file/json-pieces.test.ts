/** A large JSON document is read in pieces, whatever its spelling, and wherever its chunks end. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { JsonPieceError, type JsonPieceOptions, jsonPieces } from '../../../src/import/from-project-file/json-pieces.ts'

const encoder = new TextEncoder()
const OPTIONS: JsonPieceOptions = { arrays: new Set(['list', 'other']), limit: 1_000_000 }

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.slice(from, from + size)
}

async function piecesOf(text: string | Uint8Array, size = 7, options = OPTIONS) {
  const bytes = typeof text === 'string' ? encoder.encode(text) : text
  const pieces = []
  for await (const piece of jsonPieces(inChunks(bytes, size), options)) pieces.push(piece)
  return pieces
}

/** Returns the message and the place of a mistake. */
async function mistakeIn(text: string | Uint8Array, options = OPTIONS): Promise<string> {
  try {
    await piecesOf(text, 3, options)
  } catch (error) {
    if (error instanceof JsonPieceError) return `${error.offset}: ${error.message}`
    throw error
  }
  return 'nothing'
}

describe('the pieces of a document', () => {
  test('are the values of its members, and the elements of the arrays that are named', async () => {
    const pieces = await piecesOf('{"a": {"list": [1]}, "list": [1, "x", [2]], "b": [3]}')
    expect(pieces.map(({ member, index, value }) => [member, index, value])).toEqual([
      ['a', null, { list: [1] }],
      ['list', 0, 1],
      ['list', 1, 'x'],
      ['list', 2, [2]],
      ['b', null, [3]],
    ])
  })

  test('say where they stand, in bytes', async () => {
    const text = '{ "name": "Grüße", "list": [ 10 ,  {"ä": 1} ] }'
    const bytes = encoder.encode(text)
    const spans = (await piecesOf(text)).map(({ start, end }) => new TextDecoder().decode(bytes.slice(start, end)))
    expect(spans).toEqual(['"Grüße"', '10', '{"ä": 1}'])
  })

  test('are what JSON.parse reads, for any values, spelling and chunks', async () => {
    const value = fc.jsonValue({ noUnicodeString: false })
    await fc.assert(
      fc.asyncProperty(
        fc.record({ first: value, list: fc.array(value), 'o"t\\h{e]r': value }),
        fc.nat(3),
        fc.integer({ min: 1, max: 50 }),
        async (document, indent, size) => {
          const { list, ...rest } = JSON.parse(JSON.stringify(document))
          const pieces = await piecesOf(JSON.stringify(document, null, indent), size)
          const elements = pieces.filter(({ member }) => member === 'list').map((piece) => piece.value)
          const others = pieces.filter(({ member }) => member !== 'list').map((piece) => [piece.member, piece.value])
          expect(elements).toEqual(list)
          expect(Object.fromEntries(others)).toEqual(rest)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('are none of an empty document, and of an empty array', async () => {
    expect(await piecesOf(' {} ')).toEqual([])
    expect(await piecesOf('{"list":[ ],"other":[]}')).toEqual([])
  })

  test.each([
    ['', '0: it ends where a document that begins with { should follow'],
    ['[1]', '0: a document that begins with { should be here'],
    ['{"a":1', '6: it ends where , or } should follow'],
    ['{"a":"b', '5: it ends within a value'],
    ['{"a":{"b":[1]', '5: it ends within a value'],
    ['{"a" 1}', '5: : should be here'],
    ['{"a":1,"a":2}', '10: the member "a" occurs twice'],
    ['{a:1}', '1: the name of a member should be here'],
    ['{"a":[1}}', '5: this is not JSON'],
    ['{"a":01}', '5: this is not JSON'],
    ['{"list":[1,]}', '11: this is not JSON'],
    ['{"list":[1 2]}', '11: , or ] should be here'],
    ['{1:2}', '1: the name of a member should be here'],
    ['{"a":1} x', '8: there is text after the end of the document'],
  ])('%s is refused: %s', async (text, mistake) => {
    expect(await mistakeIn(text)).toBe(mistake)
  })

  test('are refused if they are not UTF-8', async () => {
    expect(await mistakeIn(new Uint8Array([...encoder.encode('{"a":"'), 0xff, ...encoder.encode('"}')]))).toBe(
      '5: this is not JSON',
    )
  })

  test('are refused if they are too long', async () => {
    const limit = 100
    expect(await mistakeIn(`{"a":"${'x'.repeat(50)}"}`, { ...OPTIONS, limit })).toBe('nothing')
    expect(await mistakeIn(`{"a":"${'x'.repeat(200)}"}`, { ...OPTIONS, limit })).toBe(
      '5: a value has more than 100 bytes',
    )
  })

  test('are read in memory that does not grow with the document', async () => {
    const element = `"${'x'.repeat(1000)}"`
    async function* long(): AsyncGenerator<Uint8Array> {
      yield encoder.encode('{"list":[1')
      for (let count = 0; count < 2_000; count++) yield encoder.encode(`,${element}`)
      yield encoder.encode(']}')
    }
    let pieces = 0
    for await (const piece of jsonPieces(long(), { ...OPTIONS, limit: 5_000 })) pieces += piece.index === null ? 0 : 1
    expect(pieces).toBe(2_001)
  })
})
