/** Widths without a font. A browser measures that glyphs need this width: `test-slow/badges-browser.test.ts`. */
import { describe, expect, test } from 'bun:test'
import { textWidth } from '../../../src/domain/badge/text-width.ts'

const room = (text: string) => textWidth(text).room

describe('the room for a text', () => {
  test.each([
    ['ijlI', 3],
    ['-frJ', 4],
    ['t', 5],
    ['cesx1FLP_', 6],
    ['abdghknopquvyz023456789BEKRSTXYZ @.%~', 7],
    ['ACDHNUV', 8],
    ['wGOQ', 9],
    ['mM', 10],
    ['W', 11],
  ])('is what published badges give %s', (characters, width) => {
    expect([...characters].map(room)).toEqual(Array.from(characters, () => width))
  })

  test('is the sum over its characters', () => {
    expect(['up', 'late', 'down', 'prod web', ''].map(room)).toEqual([14, 21, 30, 54, 0])
  })

  test.each([
    ['Größe', 9 + 4 + 7 + 7 + 6],
    ['Привет', 9 + 5 * 7],
    ['Ωμέγα', 9 + 4 * 7],
    ['文件夹', 33],
    ['カタカナ', 44],
    ['ｶﾀｶﾅ', 22],
    ['한국', 22],
    ['한국'.normalize('NFD'), 22],
    ['ＡＢ', 22],
    ['سلام', 20],
    ['เงิน', 18],
  ])('of %s is %d px', (text, width) => {
    expect(room(text)).toBe(width)
  })

  test.each(['🚀', '👍🏽', '👩🏽‍🚀', '👨‍👩‍👧‍👦', '🇱🇻', '❤️', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'])(
    'is that of one picture for %s, of however many code points',
    (emoji) => {
      expect(room(emoji)).toBe(14)
      expect(room(emoji.repeat(3))).toBe(42)
    },
  )

  test('does not count marks, joiners and variation selectors', () => {
    expect(room('é'.normalize('NFD'))).toBe(room('e'))
    expect(room(`Z${'\u0316'.repeat(50)}`)).toBe(7)
    expect(room('a\u200b\u200d\ufeff\ufe0f')).toBe(7)
  })
})

describe('the width of the glyphs', () => {
  test('is less than the room for narrow characters, more for wide ones, and the same for letters', () => {
    expect(textWidth('a b')).toEqual({ room: 21, glyphs: 17.5 })
    expect(textWidth('@')).toEqual({ room: 7, glyphs: 11 })
    expect(textWidth('Backup')).toEqual({ room: 41, glyphs: 41 })
    expect(textWidth('文')).toEqual({ room: 11, glyphs: 11 })
  })
})
