import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { passwordProblem } from '../../../src/domain/account/password.ts'

const EMAIL = 'harbourmaster@example.org'
const problem = (password: string) => passwordProblem(password, EMAIL)

const SHORT = 'is too short; use at least 10 characters'
const LONG = 'is too long; use at most 1000 characters'
const ADDRESS = 'is the email address or a part of it; use one that nobody can guess'
const REPEATED = 'is one character repeated; use one that nobody can guess'
const COMMON = 'is one of the commonest, which are guessed first; use another one'

describe('a password is accepted', () => {
  test.each([
    'tide-9 lamp',
    'correct horse battery',
    '        correct horse        ',
    'пароль на завтра',
    '潮汐表與燈塔的守望人',
    '🌊🌊🌊🌊🌊⚓⚓⚓⚓⚓',
    'harbourmaster at example',
    'master@example.org',
    '__proto__ constructor',
    `${'ab'.repeat(500)}`,
  ])('%j', (password) => {
    expect(problem(password)).toBeNull()
  })
})

describe('a password is refused that', () => {
  test.each([
    ['is empty', '', SHORT],
    ['has nine letters', 'tide9lamp', SHORT],
    ['has ten characters only with the blanks around it', ' password ', SHORT],
    ['has nine characters in more than ten units of UTF-16', '🌊⚓🐟🦀🐚🚢🛟🧭🪝', SHORT],
    ['has ten characters only while accents stand alone', 'e\u0301'.repeat(8), SHORT],
    ['has too many characters', 'ab'.repeat(501), LONG],
    ['has too many characters once each is spelled out', 'ab \ufdfa'.repeat(100), LONG],
    ['is the email', EMAIL, ADDRESS],
    ['is the email in capitals', EMAIL.toUpperCase(), ADDRESS],
    ['is the email before the @', 'Harbourmaster', ADDRESS],
    ['is one character', 'zzzzzzzzzzzz', REPEATED],
    ['is one character in two sizes', 'ZzZzZzZzZzZz', REPEATED],
    ['is one character outside the basic plane', '🌊'.repeat(12), REPEATED],
    ['is one control character', '\0'.repeat(12), REPEATED],
    ['is half a surrogate pair', '\ud800'.repeat(12), REPEATED],
    ['has only blanks', ' '.repeat(12), SHORT],
    ['is common', '1234567890', COMMON],
    ['is common in the other list', '1029384756q', COMMON],
    ['is common in capitals', 'QwertyUIOP', COMMON],
    ['is common between blanks', ' qwertyuiop ', COMMON],
    ['is common in full width', 'ｑｗｅｒｔｙｕｉｏｐ', COMMON],
  ])('%s', (_, password, words) => {
    expect(problem(password)).toBe(words)
  })
})

test('the list holds thousands of passwords in the form in which they are compared, none twice, in less than 60 kB', () => {
  const text = readFileSync(join(import.meta.dir, '../../../src/domain/account/common-passwords.txt'), 'utf8')
  const list = text.trimEnd().split('\n')
  expect(text.length).toBeLessThan(60_000)
  expect(list.length).toBeGreaterThan(2_000)
  expect(new Set(list).size).toBe(list.length)
  expect(list.filter((password) => password !== password.normalize('NFKC').trim().toLowerCase())).toEqual([])
  expect(list.filter((password) => problem(password) === null)).toEqual([])
  expect(list.filter((password) => problem(password) === SHORT)).toEqual([])
})
