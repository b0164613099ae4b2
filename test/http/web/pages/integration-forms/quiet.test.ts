/** Quiet hours in the form of an integration, in the list, and next to the form. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Channel } from '../../../../../src/domain/channel/channel.ts'
import type { QuietHours } from '../../../../../src/domain/channel/quiet-hours.ts'
import { upsertCheck } from '../../../../../src/services/checks/checks.ts'
import { type Browser, memberWith } from '../../../../support/browser.ts'
import { errorsOf, wordsOf } from '../../../../support/page-words.ts'
import { aChannel, anAuthor, webhook } from '../../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const LIST = '/p/tests/integrations'
const NEW = `${LIST}/new/webhook`
const URL = {
  'set-url': 'https://example.org/hook',
  'set-method_down': 'GET',
  'set-method_up': 'GET',
  'set-send_down': 'on',
}
const NIGHT: QuietHours = { schedule: '22:00', tz: 'Europe/Riga', seconds: 32_400, upTo: 'down' }
const TYPED = { 'quiet-from': '22:00', 'quiet-until': '7:00', 'quiet-tz': 'Europe/Riga' }

let t: TestApp
let member: Browser
beforeEach(async () => {
  t = await testApp()
  t.clock.set('2026-11-28T12:00:00Z')
  member = await memberWith(t, 'member', { tz: 'Europe/Riga' })
})
afterEach(() => t.close())

const pathOf = ({ id }: Pick<Channel, 'id'>) => `${LIST}/${id}`
const only = async () => {
  const [channel] = await t.app.deps.store.channels.list(t.project.id)
  if (!channel) throw new Error('there is no integration')
  return channel
}
const add = async (quietHours: QuietHours | null, over: Partial<Channel> = {}) => {
  const channel = aChannel(t.project, { name: 'Chat', settings: webhook(), quietHours, ...over })
  await t.app.deps.store.by(anAuthor()).channels.create(channel)
  return channel
}
const foldOf = (page: string) =>
  /<details class="advanced"[^>]*><summary>Quiet hours[\s\S]*?<\/details>/.exec(page)?.[0]

describe('the form of an integration', () => {
  test('has no quiet hours at first: they are folded, in the zone of the reader', async () => {
    const fold = foldOf((await member.get(NEW)).text)
    expect(fold).toStartWith('<details class="advanced"><summary>')
    expect(fold).toContain('value="Europe/Riga"')
    expect((await member.post(NEW, { name: 'Chat', ...URL, 'quiet-tz': 'Europe/Riga' })).status).toBe(303)
    expect((await only()).quietHours).toBeNull()
  })

  test('stores what was typed, and shows it with the next times', async () => {
    await member.post(NEW, { name: 'Chat', ...URL, ...TYPED })
    expect((await only()).quietHours).toEqual(NIGHT)
    const fold = foldOf((await member.get(pathOf(await only()))).text) ?? ''
    expect(fold).toContain('open')
    expect(fold).toContain('value="22:00"')
    expect(fold).toContain('value="07:00"')
    expect(wordsOf(fold)).toContain('At 22:00 every day (Europe/Riga), for 9 hours.')
    expect(wordsOf(fold)).toContain('Sat 28 Nov, 22:00 to Sun 29 Nov, 07:00')
  })

  test('changes and removes them', async () => {
    const channel = await add(NIGHT)
    const change = (quiet: object) => member.post(pathOf(channel), { name: 'Chat', ...URL, ...quiet })
    await change({ 'quiet-from': 'Mon..Fri 18:00', 'quiet-until': '14 h', 'quiet-tz': 'UTC' })
    expect((await only()).quietHours).toEqual({
      schedule: 'Mon..Fri 18:00',
      tz: 'UTC',
      seconds: 50_400,
      upTo: 'down',
    })
    await change({ 'quiet-from': '', 'quiet-until': ' ', 'quiet-tz': 'UTC' })
    expect((await only()).quietHours).toBeNull()
  })

  test('keeps that worse alerts are sent at once', async () => {
    const channel = await add({ ...NIGHT, upTo: 'warning' })
    await member.post(pathOf(channel), { name: 'Chat', ...URL, ...TYPED })
    expect((await only()).quietHours).toEqual({ ...NIGHT, upTo: 'warning' })
  })

  test('shows a schedule of several lines in a field of several lines', async () => {
    const channel = await add({ ...NIGHT, schedule: 'Mon..Fri 22:00\nSat 22:00' })
    expect((await member.get(pathOf(channel))).text).toContain('>\nMon..Fri 22:00\nSat 22:00</textarea>')
  })

  test('comes again with the mistakes at their fields and what was typed, and stores nothing', async () => {
    const typed = { 'quiet-from': '<b>', 'quiet-until': 'soon', 'quiet-tz': 'Riga' }
    const { status, text } = await member.post(NEW, { name: 'Chat', ...URL, ...typed })
    expect(status).toBe(422)
    expect(Object.keys(errorsOf(text))).toEqual(['quiet-from', 'quiet-until', 'quiet-tz'])
    expect(foldOf(text)).toContain('value="&lt;b&gt;"')
    expect(/<input[^>]* autofocus/.exec(text)?.[0]).toContain('id="quiet-from"')
    expect(await t.app.deps.store.channels.list(t.project.id)).toEqual([])
  })

  test('of a group has none: its members have', async () => {
    const one = await add(null)
    const group = await add(null, { kind: 'group', name: 'All', settings: one.id })
    expect(foldOf((await member.get(pathOf(group))).text)).toBeUndefined()
  })

  test('asks for their meaning while a person types', async () => {
    const preview = async (typed: object) =>
      (await member.post(`${LIST}/quiet-hours/preview`, { ...TYPED, ...typed })).text
    expect(foldOf((await member.get(NEW)).text)).toContain(`data-preview="${LIST}/quiet-hours/preview"`)
    expect(wordsOf(await preview({}))).toContain('for 9 hours.')
    const wrong = await preview({ 'quiet-until': '22:00' })
    expect(errorsOf(wrong)).toEqual({ 'quiet-until': 'It would begin again before it ends. Type an earlier end.' })
    expect(wrong).toContain('<div id="quiet-next" role="status"></div>')
    const reader = await memberWith(t, 'read-only')
    expect((await reader.post(`${LIST}/quiet-hours/preview`, TYPED)).status).toBe(403)
  })
})

describe('an integration with quiet hours', () => {
  test('says when it is quiet, in the list and next to its form', async () => {
    const channel = await add(NIGHT)
    for (const path of [LIST, pathOf(channel)]) {
      expect(wordsOf((await member.get(path)).text)).toContain('Quiet 22:00–07:00 (Europe/Riga).')
    }
    expect(wordsOf((await member.get(LIST)).text)).not.toContain('It is quiet')
    t.clock.set('2026-11-28T21:00:00Z')
    expect(wordsOf((await member.get(LIST)).text)).toContain('It is quiet until Sun 29 Nov, 07:00.')
  })

  test('says how many alerts wait for their end', async () => {
    const channel = await add(NIGHT)
    t.clock.set('2026-11-28T21:00:00Z')
    const { check } = await upsertCheck(t.app.deps, t.actor, { name: 'Backup', channels: channel.id }, false)
    await t.call('GET', `/ping/${check.id}/fail`)
    expect(wordsOf((await member.get(LIST)).text)).toContain('1 alert waits until Sun 29 Nov, 07:00.')
  })
})
