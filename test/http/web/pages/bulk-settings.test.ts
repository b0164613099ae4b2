/** The form that changes the settings of several checks: display, preview, saving and refusals. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Check } from '../../../../src/domain/check/check.ts'
import { SETTINGS_CHECKS_LIMIT } from '../../../../src/services/bulk/settings.ts'
import { createChannel } from '../../../../src/services/channels/channels.ts'
import { deleteCheck, getCheck, updateCheck, upsertCheck } from '../../../../src/services/checks/checks.ts'
import { type Browser, memberWith } from '../../../support/browser.ts'
import { webhook } from '../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const PATH = '/p/tests/checks/bulk/schedule'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const HOSTILE = '<img src=x onerror=alert(1)>'

let t: TestApp
let member: Browser
let checks: Check[]
beforeEach(async () => {
  t = await testApp()
  member = await memberWith(t, 'member')
  checks = [
    await create({ name: 'nightly', schedule: '20 4 * * *', tags: 'db' }),
    await create({ name: HOSTILE, timeout: 3_600 }),
  ]
})
afterEach(() => t.close())

async function create(spec: Parameters<typeof upsertCheck>[2]): Promise<Check> {
  return (await upsertCheck(t.app.deps, t.actor, spec, false)).check
}
const stored = async (index: number) => getCheck(t.app.deps, t.actor, checks[index]?.id ?? '')

type Field = readonly [name: string, value: string]

async function send(fields: readonly Field[], path = PATH) {
  const origin = new URL(t.app.deps.site.links.siteRoot).origin
  const body = new URLSearchParams()
  for (const [name, value] of fields) body.append(name, value)
  const answer = await member.ask('POST', path, { origin, ...FORM }, body.toString())
  return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() }
}
const shown = () => member.get(`${PATH}?${checks.map(({ publicId }) => `c=${publicId}`).join('&')}`)
async function seen(): Promise<readonly Field[]> {
  const { text } = await shown()
  return Array.from(text.matchAll(/name="seen" value="([^"]+)"/g), ([, value = '']) => ['seen', value] as const)
}
const save = async (...fields: readonly Field[]) => send([...(await seen()), ...fields, ['action', 'save']])
const row = (text: string, name: string) => text.split('<tr>').find((part) => part.includes(name)) ?? ''

test('the form names the checks of the address, asks for nothing, and shows how they are', async () => {
  const { status, text } = await shown()
  expect(status).toBe(200)
  expect(text).toContain('<h1><bdi>Change schedule or grace of 2 checks</bdi></h1>')
  expect(text).toContain('Nothing would change.')
  expect(text).toContain('If empty, time zones stay as they are.')
  expect(row(text, 'nightly')).toContain('Daily at 04:20, UTC')
  expect(text).not.toContain(HOSTILE)
  expect(text.match(/name="seen"/g)).toHaveLength(2)
})

test('the list sends what is selected, or all that match, and its filter is kept for the way back', async () => {
  const [first] = checks
  const { text } = await send([
    ['match', '?q=night'],
    ['c', first?.publicId ?? ''],
  ])
  expect(text).toContain('Change schedule or grace of 1 check</bdi></h1>')
  expect(text).toContain('href="/p/tests/checks?q=night"')
  const all = await send([
    ['match', ''],
    ['all', '1'],
  ])
  expect(all.text).toContain('Change schedule or grace of 2 checks</bdi></h1>')
})

test('a preview says what would change in each, and why a part does not', async () => {
  const fields: Field[] = [
    ['move', '15'],
    ['direction', 'later'],
    ['span', '90'],
    ['span-unit', 'minutes'],
    ['add-tags', 'new'],
  ]
  const { status, text } = await send([...(await seen()), ...fields], `${PATH}/preview`)
  expect(status).toBe(200)
  expect(text).toStartWith('<div id="changes"')
  expect(text).toContain('2 of 2 checks would change. 1 can’t be changed in this way.')
  const nightly = row(text, 'nightly')
  expect(nightly).toContain('<s>Daily at 04:20, UTC</s><span class="sr"> becomes</span> <b>Daily at 04:35, UTC</b>')
  expect(nightly).toContain('<s>1 hour</s><span class="sr"> becomes</span> <b>1 hour 30 minutes</b>')
  expect(nightly).toContain('<s>db</s><span class="sr"> becomes</span> <b>db new</b>')
  expect(text).toContain('Not moved: an interval has no time of day.')
  expect((await stored(0)).check.schedule).toBe('20 4 * * *')
})

test('a change is saved, told in the list and undone there', async () => {
  const before = [await stored(0), await stored(1)]
  const ops = await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
  const { status, location } = await save(
    ['match', '?q=i'],
    ['expression', '10 minutes'],
    ['tz', 'Europe/Riga'],
    ['methods', 'POST'],
    ['alerts', 'set'],
    [`to-${ops.id}`, 'on'],
    ['remove-tags', 'db'],
  )
  expect(status).toBe(303)
  expect(location).toStartWith('/p/tests/checks?q=i&done=checks-changed&done-n=2&undo=')
  for (const index of [0, 1])
    expect(await stored(index)).toMatchObject({
      check: { kind: 'simple', timeoutSeconds: 600, methods: 'POST', tags: '' },
      channelIds: [ops.id],
    })
  const token = new URLSearchParams(location.split('?')[1]).get('undo') ?? ''
  expect((await send([['token', token]], '/p/tests/undo')).location).toContain('done=undone&done-n=2')
  expect([await stored(0), await stored(1)]).toEqual(before)
})

test.each([
  ['a schedule that is none', [['expression', 'at night']], 'expression-error'],
  [
    'both a move and a schedule for all',
    [
      ['move', '15'],
      ['expression', '0 2 * * *'],
    ],
    'expression-error',
  ],
  ['too short an interval', [['expression', '5 seconds']], 'expression-error'],
  ['minutes that are no number', [['move', 'x']], 'move-error'],
  ['minutes of more than a day', [['move', '1440']], 'move-error'],
  [
    'too short a grace time',
    [
      ['span', '1'],
      ['span-unit', 'seconds'],
    ],
    'span-error',
  ],
  ['a zone that is none', [['tz', 'Mars/Base']], 'tz-error'],
  ['a tag that is too long', [['add-tags', 'x'.repeat(501)]], 'add-tags-error'],
] as const)('%s is refused at its field, and changes nothing', async (_what, fields, id) => {
  const { status, text } = await save(...fields)
  expect(status).toBe(422)
  expect(text).toContain(`id="${id}"`)
  expect(await stored(0)).toMatchObject({ check: { schedule: '20 4 * * *', graceSeconds: 3_600, tags: 'db' } })
  const preview = await send([...(await seen()), ...fields], `${PATH}/preview`)
  expect(preview.text).toContain('<p class="lead none">')
})

test('an integration that is on is asked about while the alerts of all stay as they are', async () => {
  const ops = await createChannel(t.app.deps, t.actor, { kind: 'webhook', name: 'Ops', settings: webhook() })
  const { status, text } = await save([`to-${ops.id}`, 'on'])
  expect(status).toBe(422)
  expect(text).toContain('id="alerts-error"')
})

test('what somebody else has changed meanwhile is named, and nothing is changed', async () => {
  const fields = await seen()
  const { check } = await stored(0)
  await updateCheck(t.app.deps, t.actor, check, { name: HOSTILE, grace: 1_200 }, false)
  const late = await send([...fields, ['span', '2'], ['span-unit', 'hours'], ['action', 'save']])
  expect(late.status).toBe(409)
  expect(late.text).toContain('some of the checks were changed, deleted or moved meanwhile')
  expect(late.text).not.toContain(HOSTILE)
  expect(late.text).toMatch(/value="2"/)
  expect((await stored(1)).check.graceSeconds).toBe(3_600)
  // The page shows them as they are now, so that the same answer may be sent again.
  const again = Array.from(
    late.text.matchAll(/name="seen" value="([^"]+)"/g),
    ([, value = '']) => ['seen', value] as const,
  )
  const saved = await send([...again, ['span', '2'], ['span-unit', 'hours'], ['action', 'save']])
  expect(saved.status).toBe(303)
  expect((await stored(0)).check.graceSeconds).toBe(7_200)
})

test('checks that are gone, of another project, or too many are refused in words', async () => {
  const fields = await seen()
  for (const { id } of checks) await deleteCheck(t.app.deps, t.actor, (await getCheck(t.app.deps, t.actor, id)).check)
  const gone = await send([...fields, ['span', '2'], ['span-unit', 'hours'], ['action', 'save']])
  expect(gone.status).toBe(409)
  expect(gone.text).toContain('2 checks were deleted or moved.')
  const none = await member.get(`${PATH}?c=zzzzzzzz`)
  expect(none.text).toContain('None of these checks is in this project.')
  const many = Array.from({ length: SETTINGS_CHECKS_LIMIT + 1 }, (_, n): Field => ['c', `c${n}`])
  const refused = await send(many)
  expect(refused.status).toBe(413)
  expect(refused.text).toContain('t most 2,000 checks can be changed at once')
})

test('a reader of the project gets no form', async () => {
  const reader = await memberWith(t, 'read-only')
  expect((await reader.get(`${PATH}?c=${checks[0]?.publicId}`)).status).toBe(403)
})
