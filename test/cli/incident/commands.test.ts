/** `overdue incident …`: checks that went down, and the people who took them. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { uniqueKey } from '../../../src/domain/check/unique-key.ts'
import { upsertCheck } from '../../../src/services/checks/checks.ts'
import { run } from '../../support/command-line.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

let t: TestApp
let id: string
let shownId: string
beforeEach(async () => {
  t = await testApp({ isShared: true })
  const { check } = await upsertCheck(t.app.deps, t.actor, { name: 'Backup', slug: 'backup', tags: 'prod' }, false)
  id = check.id
  shownId = `${check.publicId}-2`
  await t.call('GET', `/ping/${id}`)
  await t.call('GET', `/ping/${id}/fail`)
})
afterEach(() => t.close())

const overdue = (...words: string[]) => run([...words, '--project', 'Tests'], { DATABASE_URL: t.databaseUrl })

test('incidents are listed with the ids that other commands take', async () => {
  const { code, out } = await overdue('incident', 'list', '--open')
  expect(code).toBe(0)
  expect(out.split('\n')[0]).toMatch(/^WENT DOWN +CHECK +CAME UP +ALERTED +HELD UNTIL +ON IT +ID$/)
  expect(out).toContain(shownId)
  expect((await overdue('incident', 'list', '--tag', 'other')).out).not.toContain(shownId)
  expect(JSON.parse((await overdue('incident', 'list', '--json')).out)).toMatchObject([{ id: `${uniqueKey(id)}-2` }])
})

describe('an incident', () => {
  test('is taken by the name of its check, noted on by its id, shown, and handed back', async () => {
    expect(await overdue('incident', 'take', 'backup', '--note', 'Disk is full')).toMatchObject({ code: 0 })
    expect(await overdue('incident', 'note', shownId, 'It was the logs.')).toMatchObject({
      code: 0,
      out: 'Backup: Noted.\n',
    })
    const { out } = await overdue('incident', 'show', 'backup')
    expect(out).toStartWith(`Backup, incident ${shownId}\nOn it: a command since `)
    expect(out).toContain('Went down: the job reported a failure')
    expect(out).toContain('A command is on it: ‘Disk is full’.')
    expect(out).toContain('A command: ‘It was the logs.’')
    expect(await overdue('incident', 'release', 'backup')).toMatchObject({
      code: 0,
      out: 'Backup: Nobody is on it.\n',
    })
    expect(await overdue('incident', 'release', 'backup')).toMatchObject({ code: 1, err: 'nobody is on it\n' })
  })

  test('that somebody else is on is taken over with an option', async () => {
    const path = `/api/overdue/v1/incidents/${uniqueKey(id)}-2/acknowledge`
    await t.call('POST', path, { key: t.keys.apiKey, json: {} })
    expect(await overdue('incident', 'take', 'backup')).toMatchObject({
      code: 1,
      err: 'an API key is on it: the request must ask to take over\n→ add --take-over\n',
    })
    expect(await overdue('incident', 'take', 'backup', '--take-over', '--for', '1h')).toMatchObject({ code: 0 })
  })

  test('that has ended is shown, and cannot be taken', async () => {
    await t.call('GET', `/ping/${id}`)
    expect(await overdue('incident', 'take', 'backup')).toMatchObject({
      code: 1,
      err: 'the incident has ended\n→ you can still add notes: use `overdue incident note`\n',
    })
    const shown = JSON.parse((await overdue('incident', 'show', shownId, '--json')).out)
    expect(shown.events.map(({ kind }: { kind: string }) => kind)).toEqual(['flip', 'flip'])
  })
})

test.each([
  [['show', 'nothing'], 'has no check "nothing"'],
  [['take', 'backup', '--until', '2020-01-01T00:00Z'], 'the end is in the past'],
  [['note', 'backup', ' '], 'TEXT is not a note: it is blank'],
])('%j is refused with a sentence', async (words, sentence) => {
  const { code, err } = await overdue('incident', ...words)
  expect(code).toBeGreaterThan(0)
  expect(err).toContain(sentence)
})

test('a check that never went down has no incident, and neither has a number that it never reached', async () => {
  await upsertCheck(t.app.deps, t.actor, { name: 'Report', slug: 'report' }, false)
  expect(await overdue('incident', 'show', 'report')).toMatchObject({
    code: 1,
    err: 'the check "Report" has had no incident\n→ see `overdue incident list`\n',
  })
  const other = shownId.replace(/2$/, '9')
  expect((await overdue('incident', 'show', other)).err).toStartWith(`there is no incident "${other}"`)
})
