import { describe, expect, test } from 'bun:test'
import { matchesWords, mayMatch, parseSearch, wordPattern } from '../../../src/domain/search/query.ts'
import { wordsOf } from '../../../src/domain/search/words.ts'

const terms = (typed: string) =>
  parseSearch(typed).terms.map(({ words, isPrefix }) => words.join(' ') + (isPrefix ? '*' : ''))
const matches = (text: string, typed: string, knowsSecrets = true) => {
  const pattern = wordPattern(parseSearch(typed), knowsSecrets)
  return (
    pattern !== null &&
    matchesWords(
      Array.from(wordsOf(text), ({ word }) => word),
      pattern,
    )
  )
}
const UUID = '5b0c6f2e-1111-4222-8333-94a363eadf09'

describe('what somebody searches', () => {
  test.each<[string, string, string[]]>([
    ['words are beginnings', 'back fail', ['back*', 'fail*']],
    ['a word of one or two letters is whole', 'a ba back', ['a', 'ba', 'back*']],
    ['a phrase in quotes is whole', '"no space left" disk', ['no space left', 'disk*']],
    ['a quote without its end goes to the end', '"no space', ['no space']],
    ['words with signs between them stand together', '/var/log exit=1', ['var log*', 'exit 1']],
    [
      'the language of the index means nothing',
      'a* OR NOT NEAR(b c) words:x ^y {z}',
      ['a', 'or', 'not*', 'near b', 'c', 'words x', 'y', 'z'],
    ],
    ['without a word it is nothing', '"" *** -- ;', []],
    ['a null character is a sign', 'ab\0cd', ['ab cd']],
  ])('%s', (_, typed, expected) => {
    expect(terms(typed)).toEqual(expected)
  })

  test('is cut to two hundred characters and ten words', () => {
    const numbered = Array.from({ length: 100 }, (_, index) => `word${index}`)
    const long = parseSearch(numbered.join(' '))
    expect([long.text.length, long.terms.length, long.isCut]).toEqual([200, 10, true])
    const ten = numbered.slice(0, 10).join(' ')
    expect(parseSearch(`  ${ten}`)).toMatchObject({ text: ten, isCut: false })
  })

  test('is cut to ten words in quotes too, and each term counts once', () => {
    expect(parseSearch(`"${'a '.repeat(12)}"`)).toMatchObject({ terms: [{ words: Array(10).fill('a') }], isCut: true })
    expect(terms(`one ${'a/'.repeat(8)}bcd`)).toEqual(['one*', 'a a a a a a a a bcd*'])
    expect(terms(`one ${'a/'.repeat(9)}bcd`)).toEqual(['one*', 'a a a a a a a a a'])
    expect(parseSearch('job '.repeat(20))).toMatchObject({ terms: [{ words: ['job'] }], isCut: false })
  })
})

describe('a text', () => {
  test('that matches is never rejected by a quick look', () => {
    const texts = ['Backup of Café', 'BACKUP', UUID, 'a backup', 'other']
    for (const typed of ['back', 'cafe', UUID, UUID.slice(0, 11), '"a backup"']) {
      const pattern = wordPattern(parseSearch(typed), true) ?? []
      for (const text of texts) if (matches(text, typed)) expect(mayMatch(text, pattern)).toBe(true)
    }
    expect(mayMatch('other', wordPattern(parseSearch('"back up"'), true) ?? [])).toBe(false)
  })

  test('matches with all words, in any order, and with phrases in theirs', () => {
    const text = 'Backup of db-7 failed: No space left on device'
    expect(matches(text, 'space back')).toBe(true)
    expect(matches(text, 'space missing')).toBe(false)
    expect(matches(text, '"space left on"')).toBe(true)
    expect(matches(text, '"left space"')).toBe(false)
    expect(matches(text, 'db-7')).toBe(true)
    expect(matches(text, '')).toBe(false)
  })

  test('shows a ping secret to nobody who may not know it, not even by its beginning', () => {
    const text = `curl https://h.example/ping/${UUID}`
    for (const typed of [UUID, '5b0c6f2e', '5b0c6f2e-1111-42', '5b0c6']) {
      expect(matches(text, typed)).toBe(true)
      expect(matches(text, typed, false)).toBe(false)
      expect(matches(text, `curl ${typed}`, false)).toBe(false)
    }
    for (const typed of ['1111', '94a363eadf09', '4222']) expect(matches(text, typed)).toBe(false)
    expect(matches(text, 'curl ping', false)).toBe(true)
  })
})
