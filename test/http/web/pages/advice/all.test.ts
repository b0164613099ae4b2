/** The advice of all projects of a reader: its content by right, and the effects of answers. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../../../src/domain/account/account.ts'
import { type Actor, operatorIn } from '../../../../../src/domain/actor.ts'
import type { Check } from '../../../../../src/domain/check/check.ts'
import { personOf } from '../../../../../src/services/accounts/sign-in/sessions.ts'
import { readAdviceOfAll } from '../../../../../src/services/advice/advice-of-all.ts'
import { upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { createProject } from '../../../../../src/services/projects/projects.ts'
import { giveAdvice, ZONE } from '../../../../support/advice.ts'
import { type Browser, memberWith, setRole } from '../../../../support/browser.ts'
import { openStream } from '../../../../support/live-stream.ts'
import { wordsOf } from '../../../../support/page-words.ts'
import { replaced } from '../../../../support/replaced-methods.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

let t: TestApp
let member: Browser & { readonly account: Account }
/** the operator of a project that the member may only read */
let harbour: Actor
beforeEach(async () => {
  t = await testApp()
  member = await memberWith(t, 'member')
  const { project } = await createProject(t.app.deps, 'Harbour')
  harbour = operatorIn(project)
  await setRole(t, member.account, 'read-only', project)
})
afterEach(() => t.close())

async function advised(actor: Actor, name: string): Promise<Check> {
  const { check } = await upsertCheck(t.app.deps, actor, { name, schedule: '0 3 * * *', tz: 'Europe/Riga' }, false)
  await giveAdvice(t.app.deps, check.id, ZONE)
  return check
}
const sections = (text: string) =>
  Array.from(text.matchAll(/<section class="card" aria-labelledby="advice-of[\s\S]*?<\/section>/g), ([one]) => one)

describe('the page', () => {
  test('has the advice of each project under its name, with a fix where the reader may change checks', async () => {
    await advised(t.actor, 'Prices')
    await advised(harbour, 'Cranes')
    const { text } = await member.get('/advice')
    expect(wordsOf(text)).toContain('2 of 2 checks do not match their jobs.')
    const [first = '', second = ''] = sections(text)
    expect(wordsOf(first)).toStartWith('Harbour Cranes Runs at 03:00 UTC')
    expect(wordsOf(first)).toContain('A member can set the zone.')
    expect(first).not.toContain('<form')
    expect(wordsOf(second)).toStartWith('Tests Prices')
    expect(wordsOf(second)).toContain('Set the zone to UTC')
    expect(second).toContain('action="/p/tests/advice"')
  })

  test('has no project without advice in it, and none of others', async () => {
    await advised(t.actor, 'Prices')
    const { project } = await createProject(t.app.deps, 'Others')
    await advised(operatorIn(project), 'Secret')
    const { text } = await member.get('/advice')
    expect(sections(text).map((one) => wordsOf(one).split(' ')[0])).toEqual(['Tests'])
    expect(text).not.toContain('Secret')
  })

  test('says that all schedules fit', async () => {
    await upsertCheck(t.app.deps, t.actor, { name: 'Prices' }, false)
    await upsertCheck(t.app.deps, harbour, { name: 'Cranes' }, false)
    expect(wordsOf((await member.get('/advice')).text)).toContain('All 2 schedules match their jobs.')
  })

  test('names the projects for which too much advice came before them', async () => {
    await advised(harbour, 'Cranes')
    await advised(t.actor, 'Prices')
    const { store } = t.app.deps
    const many = replaced(store, {
      advice: {
        list: async (...all) => {
          const { items, next } = await store.advice.list(...all)
          const many = items.flatMap((one) => Array.from({ length: 500 }, (_, n) => ({ ...one, checkId: `x${n}` })))
          return { items: many, next }
        },
      },
    })
    const { lists, unread } = await readAdviceOfAll({ ...t.app.deps, store: many }, personOf(member.account, null))
    expect(lists.map(({ actor }) => actor.project.name)).toEqual(['Harbour'])
    expect(unread.map(({ project }) => project.name)).toEqual(['Tests'])
  })
})

test('an answer leads back to the page, which says what was done, and where it is undone', async () => {
  const check = await advised(t.actor, 'Prices')
  const { kind, variant, fix } = ZONE
  const named = { kind, variant, fix: JSON.stringify(fix), back: '/advice', c: check.publicId }
  const { location = '' } = await member.post('/p/tests/advice', { action: 'fix', ...named })
  expect((await t.app.deps.store.checks.find(check.id))?.check.tz).toBe('UTC')
  const { text } = await member.get(location ?? '')
  expect(wordsOf(text)).toContain('Prices: Zone set to UTC.')
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? []
  const undone = await member.post('/p/tests/undo', { token, back: '/advice' })
  expect(undone.location).toStartWith('/advice?')
  expect((await t.app.deps.store.checks.find(check.id))?.check.tz).toBe('Europe/Riga')
})

test('the note of an answer says nothing of a project that the reader may not know of', async () => {
  const { project } = await createProject(t.app.deps, 'Others')
  const { publicId } = await advised(operatorIn(project), 'Secret')
  const address = `/advice?done-fix=${publicId}&done-in=${project.slug}&done-set=tz`
  expect((await member.get(address)).text).not.toContain('Secret')
})

test('while it is open, it shows new advice', async () => {
  const check = await advised(t.actor, 'Prices')
  const stream = await openStream(t, member, '/live?view=advice&state=open')
  const parts = (await stream.take()).filter(({ event }) => event === 'message').map(({ data }) => data)
  expect(parts.join('')).toContain('<hx-partial hx-target="#advice-list"')
  expect(parts.join('')).toContain(check.name)
})
