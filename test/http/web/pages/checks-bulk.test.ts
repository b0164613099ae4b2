/** Actions on selected checks: by names, by a filter, with undo, and the question before a deletion. */
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import type { Check } from '../../../../src/domain/check/check.ts'
import { listChecks, upsertCheck } from '../../../../src/services/checks/checks.ts'
import { type Browser, memberWith } from '../../../support/browser.ts'
import { aChannel, anAuthor } from '../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const PATH = '/p/tests/checks'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

let t: TestApp
let member: Browser
let checks: Check[]
beforeEach(async () => {
  t = await testApp()
  member = await memberWith(t, 'member')
  checks = []
  for (const name of ['one', 'two', 'three']) {
    checks.push((await upsertCheck(t.app.deps, t.actor, { name, tags: name === 'two' ? 'db' : '' }, false)).check)
  }
})
afterEach(() => t.close())

/** Sends the form of the list, in which a field may occur several times. */
async function send(fields: readonly (readonly [name: string, value: string])[], browser = member, path = PATH) {
  const origin = new URL(t.app.deps.site.links.siteRoot).origin
  const body = new URLSearchParams()
  for (const [name, value] of fields) body.append(name, value)
  const answer = await browser.ask('POST', path, { origin, ...FORM }, body.toString())
  return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() }
}
const selected = (...indexes: readonly number[]) =>
  indexes.map((index) => ['c', checks[index]?.publicId ?? ''] as const)

async function stored(): Promise<Record<string, string>> {
  const all: Record<string, string> = {}
  for await (const page of listChecks(t.app.deps, t.actor, {})) {
    for (const { check, channelIds } of page) {
      all[check.name] = [check.status, check.tags, ...channelIds.map(() => 'assigned')].filter(Boolean).join(' ')
    }
  }
  return all
}

test('selected checks are paused, the page after it says how many, and undo takes it back', async () => {
  const { status, location } = await send([['action', 'pause'], ['match', '?q=o'], ...selected(0, 1)])
  expect(status).toBe(303)
  expect(location).toStartWith('/p/tests/checks?q=o&done=checks-paused&done-n=2&undo=')
  expect(await stored()).toEqual({ one: 'paused', two: 'paused db', three: 'new' })
  const { text } = await member.get(location)
  expect(text).toContain('<p>2 checks paused.</p><form method="post" action="/p/tests/undo">')
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? []
  const undone = await send(
    [
      ['token', token],
      ['back', '/p/tests/checks?q=o'],
    ],
    member,
    '/p/tests/undo',
  )
  expect(undone.location).toBe('/p/tests/checks?q=o&done=undone&done-n=2')
  expect(await stored()).toEqual({ one: 'new', two: 'new db', three: 'new' })
  const again = await send(
    [
      ['token', token],
      ['back', 'https://example.net/'],
    ],
    member,
    '/p/tests/undo',
  )
  expect(again.location).toBe('/p/tests/checks?done=undo-ended')
})

test('a change that an error stops half way says what was changed, with its undo', async () => {
  for (let n = 0; n < 57; n++) await upsertCheck(t.app.deps, t.actor, { name: `job ${n}` }, false)
  const { eventLoop } = t.app.deps
  const step = eventLoop.step.bind(eventLoop)
  let batches = 0
  const full = spyOn(eventLoop, 'step').mockImplementation((work) => {
    batches += 1
    if (batches === 2) throw new Error('disk full')
    return step(work)
  })
  const { location } = await send([
    ['action', 'pause'],
    ['all', '1'],
  ])
  full.mockRestore()
  expect(location).toContain('done=checks-paused&done-n=25&done-left=35&undo=')
  const { text } = await member.get(location)
  expect(text).toContain('<p>25 checks paused. Then an error occurred: 35 checks are unchanged.')
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? []
  const undone = await send([['token', token]], member, '/p/tests/undo')
  expect(undone.location).toBe('/p/tests/checks?done=undone&done-n=25')
  expect(new Set(Object.values(await stored()))).toEqual(new Set(['new', 'new db']))
})

test('undo leaves alone what has changed since', async () => {
  const { location } = await send([['action', 'add-tag'], ['tag', 'new'], ...selected(0, 1)])
  const token = new URL(location, 'http://x').searchParams.get('undo') ?? ''
  await upsertCheck(t.app.deps, t.actor, { name: 'one', tags: 'own', unique: ['name'] }, false)
  const { location: after } = await send([['token', token]], member, '/p/tests/undo')
  expect(after).toBe('/p/tests/checks?done=undone-some&done-n=1')
  expect(await stored()).toEqual({ one: 'new own', two: 'new db', three: 'new' })
})

test('all that match a filter are meant without being named', async () => {
  const { location } = await send([['action', 'pause'], ['all', '1'], ['match', '?tag=db'], ...selected(0)])
  expect(location).toContain('done-n=1')
  expect(await stored()).toEqual({ one: 'new', two: 'paused db', three: 'new' })
})

test('tags and integrations are given and taken', async () => {
  const channel = aChannel(t.project, { name: 'Ops' })
  await t.app.deps.store.by(anAuthor()).channels.create(channel)
  const { text } = await member.get(PATH)
  for (const field of ['name="tag"', `name="channel"><option value="${channel.id}">Ops</option>`]) {
    expect(text).toContain(field)
  }
  const done = async (...fields: readonly (readonly [string, string])[]) =>
    new URL((await send([...fields, ...selected(0, 1)])).location, 'http://x').searchParams.get('done')
  expect(await done(['action', 'add-tag'], ['tag', ' db '])).toBe('checks-tagged')
  expect(await done(['action', 'assign'], ['channel', channel.id])).toBe('checks-assigned')
  expect(await stored()).toEqual({ one: 'new db assigned', two: 'new db assigned', three: 'new' })
  expect(await done(['action', 'assign'], ['channel', channel.id])).toBe('nothing-changed')
  expect(await done(['action', 'unassign'], ['channel', channel.id])).toBe('checks-unassigned')
  expect(await done(['action', 'remove-tag'], ['tag', 'db'])).toBe('checks-untagged')
  expect(await stored()).toEqual({ one: 'new', two: 'new', three: 'new' })
})

/** Returns the fields that the form of a page would send. */
function fieldsOf(text: string) {
  const fields = [...text.matchAll(/<input type="hidden" name="(match|confirmed|c|all)" value="([^"]*)">/g)]
  return fields.map(([, name = '', value = '']) => [name, value] as const)
}

test('a deletion asks with the number and the names, and its form names each check', async () => {
  const asked = await send([
    ['action', 'delete'],
    ['all', '1'],
    ['match', '?q=t'],
  ])
  expect(asked.status).toBe(200)
  expect(asked.text).toContain('<h1><bdi>Delete 2 checks?</bdi></h1>')
  expect(asked.text).toContain('<li><bdi>three</bdi></li><li><bdi>two</bdi></li>')
  expect(fieldsOf(asked.text)).toEqual([['match', '?q=t'], ['confirmed', '1'], ...selected(2, 1)])
  expect(asked.text).toContain('href="/p/tests/checks?q=t">Cancel</a>')
  const { location } = await send([['action', 'delete'], ['confirmed', '1'], ...selected(0)])
  expect(location).toBe('/p/tests/checks?done=checks-deleted&done-n=1')
  expect(Object.keys(await stored())).toEqual(['two', 'three'])
})

test('only the checks of the question are deleted, although others match the filter by then', async () => {
  const [one, two] = [checks[0]?.id, checks[1]?.id]
  await t.call('GET', `/ping/${one}/fail`)
  await t.call('GET', `/ping/${two}`)
  const asked = await send([
    ['action', 'delete'],
    ['all', '1'],
    ['match', '?status=down'],
  ])
  expect(asked.text).toContain('Delete 1 check?')
  await t.call('GET', `/ping/${one}`)
  await t.call('GET', `/ping/${two}/fail`)
  const { location } = await send([['action', 'delete'], ...fieldsOf(asked.text)])
  expect(location).toContain('done=checks-deleted&done-n=1')
  expect(Object.keys(await stored())).toEqual(['two', 'three'])
})

test('a filter alone deletes nothing, whatever was confirmed', async () => {
  const { text } = await send([
    ['action', 'delete'],
    ['all', '1'],
    ['match', '?q=t'],
    ['confirmed', '2'],
  ])
  expect(text).toContain('Delete 2 checks?')
  expect(Object.keys(await stored())).toEqual(['one', 'two', 'three'])
})

test('checks that the project does not have are not counted', async () => {
  const unknown = ['c', 'aaaaaaaa'] as const
  expect((await send([['action', 'delete'], unknown, ...selected(0)])).text).toContain('Delete 1 check?')
  expect((await send([['action', 'delete'], unknown])).location).toBe('/p/tests/checks?done=nothing-selected')
})

test('a deletion of more than ten checks names ten', async () => {
  for (let index = 0; index < 12; index++) await upsertCheck(t.app.deps, t.actor, { name: `job ${index}` }, false)
  const { text } = await send([
    ['action', 'delete'],
    ['all', '1'],
  ])
  expect(text).toContain('Delete 15 checks?')
  expect(text).toContain('<li>and 5 more</li>')
})

test('a form may name tens of thousands of checks', async () => {
  const many = Array.from({ length: 20_000 }, (_, index) => ['c', String(index).padStart(8, '0')] as const)
  const { location } = await send([['action', 'pause'], ...many, ...selected(2)])
  expect(location).toContain('done=checks-paused&done-n=1')
})

test('a form with more fields, or a filter that no address could have, is refused and changes nothing', async () => {
  const many = Array.from({ length: 40_010 }, () => ['c', ''] as const)
  const answers = [
    await send([['action', 'pause'], ...selected(0), ...many]),
    await send([['action', 'pause'], ...selected(0), ['match', `?${'tag=a&'.repeat(9_000)}`]]),
  ]
  expect(answers.map(({ status }) => status)).toEqual([413, 413])
  expect(answers[0]?.text).toContain('send at most 40010')
  expect(answers[1]?.text).toContain('The filter of the list is too long')
  expect(await stored()).toEqual({ one: 'new', two: 'new db', three: 'new' })
})

test('without a selection nothing happens, and another action is refused', async () => {
  expect((await send([['action', 'delete']])).location).toBe('/p/tests/checks?done=nothing-selected')
  expect((await send([['action', 'explode'], ...selected(0)])).status).toBe(400)
  expect((await send([['action', 'add-tag'], ['tag', 'two words'], ...selected(0)])).status).toBe(400)
  expect(await stored()).toEqual({ one: 'new', two: 'new db', three: 'new' })
})

test('checks of another project are out of reach', async () => {
  const other = await testApp()
  const { check } = await upsertCheck(other.app.deps, other.actor, { name: 'other' }, false)
  await other.close()
  const { location } = await send([
    ['action', 'pause'],
    ['c', check.publicId],
  ])
  expect(location).toBe('/p/tests/checks?done=nothing-changed')
})
