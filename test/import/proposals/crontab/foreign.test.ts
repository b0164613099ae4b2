/** Lines for other programs than cron: no part of their schedule becomes a command. */
import { expect, test } from 'bun:test'
import { planOf } from '../crontab-plan.ts'

const plan = (text: string, layout: 'user' | 'system' = 'user') => planOf(text, { layout })

test.each([
  ['*/30 * * * * * * /app/beat', 'six or seven fields', '"* * * * *"'],
  ['0 3 * * * 2026 /app/once', 'six or seven fields', '"0 3 * * *"'],
  ['5 0 0/6 * * ? /app/b', 'six or seven fields', '"0 0/6 * * *"'],
  ['0 0 * * * *', 'six or seven fields', '"0 * * * *"'],
  ['0 30 2 ? * MON-FRI /app/b', 'six or seven fields', '"30 2 * * MON-FRI"'],
  ['0 0 3 * * sun /app/b', 'six or seven fields', '"0 3 * * sun"'],
  ['0 0 3 ? * 6#1 2026 /app/b', 'six or seven fields', 'five'],
  ['H 3 * * * /app/b', '"H" is for Jenkins', 'number'],
  ['H/15 * * * * /app/b', '"H" is for Jenkins', 'number'],
  ['H H(0-7) * * 1-5 /app/b', '"H" is for Jenkins', 'number'],
  ['CRON_TZ=Europe/Berlin 0 5 * * * /app/b', 'time zone precedes', 'CRON_TZ=Europe/Berlin'],
  ['TZ=Europe/Berlin 0 5 * * MON /app/b', 'time zone precedes', 'CRON_TZ=Europe/Berlin'],
  ['CRON_TZ="Europe/Berlin" @daily /app/b', 'time zone precedes', 'of its own'],
  ['CRON_TZ= 0 5 * * * /app/b', 'time zone precedes', 'of its own'],
  ['MAILTO=ops@example.org 0 5 * * * /app/b', 'setting precedes', 'of its own'],
  ['MAILTO="" 0 5 * * 1-5 /app/b', 'setting precedes', 'of its own'],
  ['SHELL = /bin/bash 0 5 * * * /app/b', 'setting precedes', 'of its own'],
  ['HOME=/srv */5 * * * * /app/b', 'setting precedes', 'of its own'],
  ["A='a b' @daily /app/b", 'setting precedes', 'of its own'],
  ['RANDOM_DELAY=5 0 0 5 * * ? /app/b', 'setting precedes', 'of its own'],
  ['SHELL=/bin/bash MAILTO=ops 0 5 * * * /app/b', 'setting precedes', 'of its own'],
  ['0 3 * * /app/b --all', 'only 4 fields', 'five fields'],
  ['/app/b 0 3 * * *', 'begins with a path', 'five fields'],
  ['export MAILTO=ops', 'shell command', 'NAME=value'],
  ['@every 5m /app/b', '"@every"', 'period of 5 minutes'],
  ['@every 1h30m', '"@every"', 'period of 1 hour 30 minutes'],
  ['0 3 ? * MON /app/b', '"?" is for Quartz', '"0 3 * * MON"'],
  ['0 3 L * * /app/b', '"L", "W" and "#"', 'Create a check'],
  ['0 3 15W * * /app/b', '"L", "W" and "#"', 'Create a check'],
  ['0 3 * * FRI#2 /app/b', '"L", "W" and "#"', 'Create a check'],
  ['0 3 * * 5L /app/b', '"L", "W" and "#"', 'Create a check'],
  ['@monthly 45 cron.monthly nice run-parts /etc/cron.monthly', 'anacrontab', 'called anacrontab'],
  ['&10 * * * * /app/b', 'fcron', 'Create a check'],
  ['%hours * 3 * * /app/b', 'fcron', 'Create a check'],
])('%p is left out, with the reason and what to write', (line, reason, advice) => {
  const { checks, notes } = plan(`${line}\n`)
  expect(checks).toEqual([])
  expect(notes.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['left-out line 1'])
  expect(notes[0]?.reason).toContain(reason)
  expect(notes[0]?.advice).toContain(advice)
})

test('words of a command in the place of fields are not repeated behind the first', () => {
  expect(JSON.stringify(plan('mysqldump -p~hunter2 -phunter2 a b c\n').notes)).not.toContain('hunter2')
})

test.each(['0 0 3 * * ? root /app/b', '0 3 * * * 2026 root /app/b', '@every 5m root /app/b'])(
  '%p of the system is left out by its schedule',
  (line) => {
    const { checks, notes } = plan(`${line}\n`, 'system')
    expect(checks).toEqual([])
    expect(notes[0]?.reason).toMatch(/six or seven fields|"@every"/)
  },
)

test.each([
  ['0 3 * * * 7z a /x', '7z'],
  ['0 3 * * * L10n-sync', 'L10n-sync'],
  ['0 3 * * 1-5 2to3 x', '2to3'],
  ['0 3 * JUL WED /app/b', 'b'],
  ['0 3 * MAR THU monitor', 'monitor'],
])('%p has five fields', (line, name) => {
  expect(plan(`${line}\n`).checks.map((check) => check.name)).toEqual([name])
})

test.each([
  'PORTS=80 443 8080 8443 9000 9001',
  'NUMBERS=0 1 2 3 4 5 6 7',
  'SCHEDULE="0 5 * * *"',
  'GREETING=hello @all of you',
])('%p is a setting', (line) => {
  expect(plan(`${line}\n`).notes).toEqual([])
})

test('a month or a letter may be the name of a user or of a program', () => {
  expect(plan('0 3 * * * root /a\n0 3 * * * jan /home/jan/b\n', 'system').checks).toHaveLength(2)
  expect(plan('0 3 * * * w root\n').checks.map((check) => check.name)).toEqual(['w'])
})

test('a setting before a schedule changes nothing for the lines below it', () => {
  const { checks } = plan('SHELL=/usr/bin/fish 0 5 * * * /a\n0 6 * * * /b\n')
  expect(checks.map(({ name }) => name)).toEqual(['b'])
})

test('a time zone before a schedule changes nothing for the lines below it', () => {
  const { checks } = plan('CRON_TZ=Asia/Tokyo 0 5 * * * /a\n0 6 * * * /b\n')
  expect(checks.map(({ name, timing }) => [name, 'tz' in timing && timing.tz])).toEqual([['b', 'UTC']])
})
