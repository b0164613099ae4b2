import { describe, expect, test } from 'bun:test'
import { WORDS_READ, wordsOf } from '../../../src/domain/search/words.ts'

const words = (text: string) => Array.from(wordsOf(text), ({ word }) => word)
const UUID = '5b0c6f2e-1111-4222-8333-94a363eadf09'

describe('the words of a text', () => {
  test.each<[string, string, string[]]>([
    ['are letters and digits', 'exit=1; /var/log_x', ['exit', '1', 'var', 'log', 'x']],
    ['have no case', 'ERROR Straße', ['error', 'straße']],
    ['have no accents, however they are written', 'Café Cafe\u0301 Ångström', ['cafe', 'cafe', 'angstrom']],
    ['are the same in other forms of a letter', 'ﬁle ＡＢＣ ½', ['file', 'abc', '12']],
    [
      'are single characters where nobody writes spaces',
      'バックアップ失敗',
      ['ハ', 'ッ', 'ク', 'ア', 'ッ', 'フ', '失', '敗'],
    ],
    ['keep marks that belong to a letter out', 'हिन्दी', ['हनद']],
    ['may be Cyrillic', 'Резервная КОПИЯ', ['резервная', 'копия']],
    ['are none in signs', '--- … 🎉', []],
    ['are cut when they are long', 'a'.repeat(100), ['a'.repeat(40)]],
    ['are cut without cutting a character', '𝒜'.repeat(10) + '𐐨'.repeat(50), [`${'a'.repeat(10)}${'𐐨'.repeat(30)}`]],
  ])('%s', (_, text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  test('know where they stand', () => {
    const text = 'Über 10\u00a0%: ok'
    expect(Array.from(wordsOf(text), ({ start, end }) => text.slice(start, end))).toEqual(['Über', '10', 'ok'])
  })

  test('of a ping secret are one word of its own kind, however it is written', () => {
    const whole = `§${UUID.replaceAll('-', '')}`
    expect(words(`curl https://h.example/ping/${UUID}/fail`)).toEqual([
      'curl',
      'https',
      'h',
      'example',
      'ping',
      whole,
      'fail',
    ])
    expect(words(UUID.toUpperCase())).toEqual([whole])
    expect(words(UUID.replaceAll('-', '%2D'))).toEqual([whole])
    expect(words('ping/abcdefghij1234567890xy/db')).toEqual(['ping', '§abcdefghij1234567890xy', 'db'])
  })

  test('are five thousand of a text at most', () => {
    expect(words('a '.repeat(6_000))).toHaveLength(WORDS_READ)
    expect(words('漢'.repeat(6_000))).toHaveLength(WORDS_READ)
  })

  test('are found in a long text without delay', () => {
    const text = `${'x'.repeat(65_000)} ${'\u0301'.repeat(500)}`
    expect(words(text)).toEqual(['x'.repeat(40)])
  })
})
