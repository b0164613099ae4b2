import { describe, expect, test } from 'bun:test'
import { excerptOf } from '../../../src/domain/search/excerpt.ts'
import { parseSearch, wordPattern } from '../../../src/domain/search/query.ts'

const excerpt = (text: string, typed: string) =>
  excerptOf(text, wordPattern(parseSearch(typed), true) ?? [])
    .map((part) => (part.isHit ? `[${part.text}]` : part.text))
    .join('')

describe('an excerpt', () => {
  test('marks each hit, as it is written', () => {
    expect(excerpt('Café: backup failed, no café', 'cafe "backup failed"')).toBe('[Café]: [backup failed], no [café]')
  })

  test('is about 160 characters around the first hit, on one line', () => {
    const text = `${'before '.repeat(50)}\n\nneedle\n${'after '.repeat(50)}needle`
    const shown = excerpt(text, 'need')
    expect(shown).toStartWith('…before before')
    expect(shown).toContain('before [needle] after')
    expect(shown).toEndWith('…')
    expect(shown.length).toBeWithin(150, 180)
  })

  test('cuts a hit that is longer', () => {
    expect(excerpt('x'.repeat(500), 'xxx')).toBe(`[${'x'.repeat(160)}]…`)
    expect(excerpt(`${'a '.repeat(300)}`, `"${'a '.repeat(90)}"`)).toMatch(/^\[a a .*\].*…$/)
  })

  test('cuts no character in two', () => {
    const shown = excerpt(`needle ${'🎉'.repeat(200)}`, 'needle')
    expect(shown.isWellFormed()).toBe(true)
    expect(excerpt(`${'🎉'.repeat(200)}needle`, 'needle').isWellFormed()).toBe(true)
  })

  test('is none without a hit', () => {
    expect(excerptOf('text', [[{ words: ['other'], isPrefix: true }]])).toEqual([])
    expect(excerptOf('text', [])).toEqual([])
  })
})
