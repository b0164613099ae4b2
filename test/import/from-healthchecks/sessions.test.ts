import { expect, test } from 'bun:test'
import { verifyBySessions } from '../../../src/import/from-healthchecks/sessions.ts'

const SECRET = 'movein-1-django-insecure-q8v1rj0m2kd7s5xw3bz6'
/** Sessions made by Django 5.2: one that it compressed, and one that it did not. */
const SESSIONS = [
  '.eJyrVopPLC3JiC8tTi2Kz0xRslIyVNJBFktKTM5OzQNJZCTrJSYn55fmlRTrQUWL9VxzEzNznKBqdJQqgOoqqQyUagFY4UNB:1xTdUu:QnA6BrCH5MZEveST5_avM4LlsMu0TeUgvkjD6RFSahU',
  'eyJhIjoxfQ:1xTdUu:vAac0B6CoBdGQdQTphmmkTHMHrW2jRw5TuFfTe3jS74',
]

test('a secret is right if it signed a session', () => {
  for (const session of SESSIONS) expect(verifyBySessions(SECRET, [session])).toBe('right')
  expect(verifyBySessions(SECRET, ['eyJhIjoyfQ:1xTdUu:vAac0B6CoBdGQdQTphmmkTHMHrW2jRw5TuFfTe3jS74', ...SESSIONS])).toBe(
    'right',
  )
})

test('a secret is wrong if it signed none of them', () => {
  expect(verifyBySessions('another', SESSIONS)).toBe('wrong')
})

test('sessions in another form tell nothing', () => {
  expect(verifyBySessions(SECRET, [])).toBe('unknown')
  expect(verifyBySessions(SECRET, ['', 'MmJlOjp7fQ=='])).toBe('unknown')
})
