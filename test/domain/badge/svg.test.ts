import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { badgeSvg } from '../../../src/domain/badge/svg.ts'
import { readSvg } from '../../conformance/svg.ts'

/** Returns the width, and the centre and greatest length of each of the four texts. */
function measures(svg: string) {
  const texts = [...svg.matchAll(/<text x="([\d.]+)" y="(\d+)" textLength="([\d.]+)"/g)]
  const width = Number(/<svg [^>]*width="(\d+)"/.exec(svg)?.[1])
  return { width, texts: texts.map(([, x, y, length]) => ({ x, y, length: Number(length) })) }
}

/** Returns the label as it is shown. */
function shown(label: string): string {
  const texts = readSvg(badgeSvg(label, 'up'))
  if (typeof texts === 'string') throw new Error(texts)
  return texts.length === 5 ? (texts[1] ?? '') : ''
}

describe('a badge', () => {
  test('is an image with an accessible name, and draws each text again as its shadow', () => {
    expect(badgeSvg('prod', 'up')).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" width="59" height="20" role="img">' +
        '<title>prod: up</title>' +
        '<linearGradient id="badge-shade" x2="0" y2="100%"><stop offset="0" stop-color="#bbb" stop-opacity=".1"/>' +
        '<stop offset="1" stop-opacity=".1"/></linearGradient>' +
        '<path fill="#555" d="M35 0v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z"/>' +
        '<path fill="#4c1" d="M35 0h21a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H35z"/>' +
        '<rect width="59" height="20" rx="3" fill="url(#badge-shade)"/>' +
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">' +
        '<text x="17.5" y="15" textLength="25.0" lengthAdjust="spacingAndGlyphs" fill="#010101" fill-opacity=".3" aria-hidden="true">prod</text>' +
        '<text x="17.5" y="14" textLength="25.0" lengthAdjust="spacingAndGlyphs">prod</text>' +
        '<text x="47.0" y="15" textLength="14.0" lengthAdjust="spacingAndGlyphs" fill="#010101" fill-opacity=".3" aria-hidden="true">up</text>' +
        '<text x="47.0" y="14" textLength="14.0" lengthAdjust="spacingAndGlyphs">up</text>' +
        '</g></svg>',
    )
  })

  test.each([
    ['up', '#4c1', 24],
    ['late', '#fe7d37', 31],
    ['down', '#e05d44', 40],
  ] as const)('that says %s is %s on the right, %d px wide there', (status, colour, right) => {
    const svg = badgeSvg('t', status)
    expect(svg).toContain(`fill="${colour}"`)
    expect(measures(svg).width).toBe(15 + right)
  })

  test('has boxes 10 px wider than their texts, with the texts centred', () => {
    const { width, texts } = measures(badgeSvg('jobs', 'up'))
    expect(width).toBe(57)
    expect(texts.map(({ x, y }) => [x, y])).toEqual([
      ['16.5', '15'],
      ['16.5', '14'],
      ['45.0', '15'],
      ['45.0', '14'],
    ])
  })

  test('keeps every text inside its box, whatever the label', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (label) => {
        const { width, texts } = measures(badgeSvg(label, 'late'))
        for (const { x, length } of texts.slice(0, 2)) {
          expect(Number(x)).toBe((width - 31) / 2)
          expect(length).toBeLessThanOrEqual(width - 31 - 4)
        }
        expect(texts).toHaveLength(4)
      }),
    )
  })
})

describe('a label', () => {
  test('stays text, whatever it contains', () => {
    const hostile = `</text><script>alert(1)</script>"' onload="x" &amp; ]]> <!-- <?x?> &#0;`
    expect(shown(hostile)).toBe(hostile)
    expect(badgeSvg(hostile, 'up')).not.toContain('<script')
  })

  test('never makes the image malformed or adds characters that XML forbids', () => {
    const odd = fc.constantFrom(
      '\0',
      '\x0b',
      '\ud800',
      '\udc00',
      '\ufffe',
      '\uffff',
      '<',
      '&',
      '"',
      ']]>',
      '\u202e',
      'a',
    )
    const labels = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(odd, { maxLength: 30 }).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(labels, (label) => {
        const svg = badgeSvg(label, 'down')
        expect(Array.isArray(readSvg(svg))).toBe(true)
        expect(svg).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u)
      }),
    )
  })

  test.each([
    ['a\r\nb\tc', 'a b c'],
    ['\u202egnihton\u202c \u2067x\u2069', 'gnihton x'],
    ['a\0b\x1bc\x7fd', 'abcd'],
    ['  ', ''],
    ['\ud800', '\ufffd'],
    ['می‌خواهم', 'می‌خواهم'],
  ])('%j is shown as %j', (label, expected) => {
    expect(shown(label)).toBe(expected)
  })

  test('is shown whole up to a hundred code points, and longer ones are cut between characters', () => {
    expect(shown('🚀'.repeat(100))).toBe('🚀'.repeat(100))
    expect(shown('🚀'.repeat(101))).toBe(`${'🚀'.repeat(100)}…`)
    expect(measures(badgeSvg('W'.repeat(500), 'up')).width).toBe(100 * 11 + 10 + 10 + 24)
  })
})
