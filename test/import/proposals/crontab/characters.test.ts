/** Invisible or misleading characters of a crontab: each is reported, with its place. */
import { expect, test } from 'bun:test'
import { planOf } from '../crontab-plan.ts'

test.each([
  ['\uFEFF0 5 * * * /opt/job', 'Character 1 of the line is a byte order mark (U+FEFF)', 'without it'],
  ['\uFEFF# nightly', 'Character 1 of the line is a byte order mark', 'without it'],
  ['\uFEFFMAILTO=ops', 'Character 1 of the line is a byte order mark', 'without it'],
  ['0\u00A05 * * * /opt/job', 'Character 2 of the line is a no-break space (U+00A0)', 'a space'],
  ['0 5 * * *\u00A0/opt/job', 'Character 10 of the line is a no-break space', 'a space'],
  ['\u00A0', 'Character 1 of the line is a no-break space', 'a space'],
  ['0 5 * * 1\u20135 /opt/job', 'Character 10 of the line is "–" (U+2013)', 'Write "-"'],
  ['\u200B0 5 * * * /opt/job', 'Character 1 of the line is a zero-width space (U+200B)', 'Remove it'],
  ['0 5\u00B2 * * * /opt/job', 'Character 4 of the line is "²" (U+00B2), which is not part of any', 'plain digits'],
])('%j is left out', (line, reason, advice) => {
  const { checks, notes } = planOf(`${line}\n0 6 * * * /opt/other\n`)
  expect(checks.map(({ place }) => place)).toEqual(['line 2'])
  expect(notes).toMatchObject([{ kind: 'left-out', name: 'line 1' }])
  expect(notes[0]?.reason).toContain(reason)
  expect(notes[0]?.advice).toContain(advice)
})

test.each([
  ['0 5 * * * /opt/job\u00A0--all', 'Character 19 of the line is a no-break space', 'a space'],
  ['0 5 * * * /opt/job \u2013all', 'Character 20 of the line is "–" (U+2013)', 'Write "-"'],
  ['0 5 * * * /opt/job \u201Ca\u201D', 'Character 20 of the line is "“" (U+201C)', 'a plain quote'],
  ['0 5 * * * /opt/j\u00F6b \u00A0', 'Character 20 of the line is a no-break space', 'a space'],
])('%j gets a check, and the character is told', (line, reason, advice) => {
  const { checks, notes } = planOf(`${line}\n`)
  expect(checks).toHaveLength(1)
  expect(notes).toMatchObject([{ kind: 'to-do', name: 'line 1' }])
  expect(notes[0]?.reason).toContain(reason)
  expect(notes[0]?.advice).toContain(advice)
})

test('letters of any language in a command, and anything between its quotes, are not told', () => {
  expect(planOf('0 5 * * * /opt/job \\\u00E0 caf\u00E9 "\u201Ca\u00A0b\u201D"\n').notes).toEqual([])
})

test('a file in Latin-1 is read as such', () => {
  const { notes } = planOf(Buffer.from('0\u00A05 * * * /opt/job\n', 'latin1'))
  expect(notes[0]?.reason).toContain('Character 2 of the line is a no-break space')
})

test.each([
  [Buffer.from('\uFEFF0 5 * * * /opt/job\n', 'utf16le'), 'UTF-16'],
  [Buffer.from('0 5 * * * /opt/job\n', 'utf16le'), 'UTF-16'],
  ['# nightly\r0 5 * * * /opt/job\r', 'carriage returns only'],
])('a file that cron reads in another way is left out as a whole: %p', (text, reason) => {
  const { checks, notes } = planOf(text)
  expect(checks).toEqual([])
  expect(notes.map((note) => note.reason)).toEqual([expect.stringContaining(reason)])
})
