import { describe, expect, test } from 'bun:test'
import { maskOf, maskOfSecret } from '../../src/run/masks.ts'
import { createOutput } from '../../src/run/output.ts'

const MEGABYTE = 2 ** 20

/** Returns an output of these pieces. */
function outputOf(...pieces: readonly (string | Uint8Array)[]) {
  const output = createOutput()
  for (const piece of pieces) output.add(Buffer.from(piece))
  return output
}

function bodyOf(pieces: readonly (string | Uint8Array)[], limit = 1000, masks: readonly RegExp[] = [], note = '') {
  return outputOf(...pieces)
    .body(limit, masks, note)
    .toString()
}

test('an output that fits is sent as it is', () => {
  expect(bodyOf([])).toBe('')
  expect(bodyOf(['one\n', 'two'])).toBe('one\ntwo')
  const bytes = Buffer.from([0, 255, 254, 10, 128])
  expect(outputOf(bytes).body(100, [maskOf('never')], '')).toEqual(bytes)
})

test('a note is the last line, and its own', () => {
  expect(bodyOf(['one\n'], 1000, [], 'killed')).toBe('one\nkilled\n')
  expect(bodyOf(['one'], 1000, [], 'killed')).toBe('one\nkilled\n')
  expect(bodyOf([], 1000, [], 'killed')).toBe('killed\n')
})

describe('of an output that is too long', () => {
  const lines = Array.from({ length: 300_000 }, (_, index) => `line ${index}\n`)
  const text = lines.join('')

  test.each([200, 1000, 100_000, MEGABYTE])('beginning and end are sent, within %d bytes, with the note', (limit) => {
    const body = bodyOf([text], limit, [], 'killed')
    expect(body.length).toBeLessThanOrEqual(limit)
    expect(body.length).toBeGreaterThan(limit - 100)
    expect(body).toStartWith('line 0\nline 1\n')
    expect(body).toEndWith('299999\nkilled\n')
  })

  test('the line between them says how many bytes were left out', () => {
    const body = bodyOf([text])
    const [line = '', bytes] = /\[overdue run: (\d+) bytes were left out here\]\n/.exec(body) ?? []
    const [begin = '', end = ''] = body.split(line)
    expect(Number(bytes)).toBe(text.length - (begin.length - (text.startsWith(begin) ? 0 : 1)) - end.length)
    expect([text.startsWith(begin.trimEnd()), text.endsWith(end)]).toEqual([true, true])
  })

  test('the pieces in which it came do not matter', () => {
    const whole = bodyOf([text])
    for (const size of [1000, 65_536, 700_001, 2 * MEGABYTE]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      )
      expect(bodyOf(pieces)).toBe(whole)
    }
  })

  test('no half of a character is sent', () => {
    for (const shift of [0, 1, 2, 3]) {
      const body = outputOf('x'.repeat(shift), '🦉'.repeat(1000)).body(999, [], '')
      expect(body.toString()).not.toContain('\ufffd')
      expect(body.length).toBeGreaterThan(900)
    }
  })
})

describe('masks', () => {
  const masks = [maskOf('password=\\S+'), maskOfSecret('a+b/c')]

  test('replace what they match, on each line, and secrets also as URLs write them', () => {
    expect(bodyOf(['user=x password=abc\nno', 'thing\na+b/c a%2Bb%2Fc\n'], 1000, masks)).toBe(
      'user=x ***\nnothing\n*** ***\n',
    )
  })

  test('match across the pieces in which an output came', () => {
    for (let at = 1; at < 'password=abc'.length; at += 1) {
      const text = 'say password=abc\n'
      expect(bodyOf([text.slice(0, 4 + at), text.slice(4 + at)], 1000, masks)).toBe('say ***\n')
    }
  })

  test('that match nothing of a line leave it, and so does one that matches the empty text', () => {
    expect(bodyOf(['plain\n'], 1000, [maskOf('x*')])).toBe('plain\n')
    expect(bodyOf(['axxb\n'], 1000, [maskOf('x*')])).toBe('a***b\n')
  })

  test.each([1, 7, 40])('let no half of a secret out where an output is cut, lines of %d secrets', (count) => {
    const secret = 'password=0123456789abcdef'
    const line = `${`${secret} `.repeat(count)}\n`
    for (const limit of [300, 1000, 999_000]) {
      const body = bodyOf([line.repeat(Math.ceil((3 * MEGABYTE) / line.length))], limit, masks)
      expect(body.replace(/\[overdue run: .*\]/, '')).not.toMatch(/[0-9a-f]{4}/)
      expect(body).toContain('***')
    }
  })

  test('may make a line longer, and the body stays within its limit', () => {
    expect(bodyOf(['a'.repeat(5000)], 1000, [maskOf('a')]).length).toBeLessThanOrEqual(1000)
  })
})
