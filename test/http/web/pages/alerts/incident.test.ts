/** The page of an incident: its readers, and their actions. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type CourierFixture, courierFixture } from '../../../../services/courier/courier-fixture.ts'
import { addAccount, type Browser, memberWith, signedIn } from '../../../../support/browser.ts'
import { HOSTILE } from '../../../../support/hostile-texts.ts'
import { openStream } from '../../../../support/live-stream.ts'
import { errorsOf, wordsOf } from '../../../../support/page-words.ts'
import { answered, type TestApp, testApp } from '../../../../support/test-app.ts'

type Member = Awaited<ReturnType<typeof memberWith>>

let t: TestApp
let d: CourierFixture
let ann: Member
let bob: Member
let reader: Browser
/** UUID of the check that is down */
let check: string
let publicId: string
let path: string
beforeEach(async () => {
  t = await testApp()
  d = courierFixture(t)
  ann = await memberWith(t, 'member')
  bob = await memberWith(t, 'member')
  reader = await memberWith(t, 'read-only')
  const channel = await d.addChannel({ name: 'Pager' })
  check = await d.addCheck(channel.id, 'Backup')
  await d.ping(check, '/fail')
  t.answerWith(answered(200))
  await d.deliver()
  publicId = (await t.app.deps.store.checks.find(check))?.check.publicId ?? ''
  path = `/p/${t.project.slug}/alerts/${publicId}-1`
})
afterEach(() => t.close())

const wordsFor = async (browser: Browser, at = path) => wordsOf((await browser.get(at)).text)
const lines = (page: string) =>
  (/<ol class="line" id="timeline">[\s\S]*?<\/ol>/.exec(page)?.[0] ?? '').split('</li>').slice(0, -1).map(wordsOf)
const take = (browser: Browser) => browser.post(path, { action: 'take' })

describe('an open incident', () => {
  test('says how long it lasts, that nobody is on it, who was alerted, and what happened, oldest first', async () => {
    t.clock.advance({ minutes: 26 })
    const { text } = await ann.get(path)
    expect(wordsOf(text)).toContain('Down for 26 min. Nobody is on it.')
    expect(wordsOf(text)).toContain('On it no one')
    expect(wordsOf(text)).toContain('Alerted 1 of 1')
    expect(wordsOf(text)).toContain('Muted no')
    const [down, told] = lines(text)
    expect(down).toContain('Went down: the job failed. Log What the alert says Failed')
    expect(told).toContain('Pager was alerted. 1 attempt')
  })

  test('is taken by one button and handed back, and others see who is on it', async () => {
    expect((await take(ann)).location).toContain('done=incident-taken')
    const seen = await wordsFor(bob)
    expect(seen).toContain(`On it: ${ann.account.email} since`)
    expect(seen).toContain('Take over…')
    expect(await wordsFor(ann)).toContain('Hand back')
    expect((await ann.post(path, { action: 'hand-back' })).location).toContain('done=incident-handed-back')
    expect(lines((await bob.get(path)).text).at(-1)).toContain(`${ann.account.email} handed it back.`)
    expect((await ann.post(path, { action: 'hand-back' })).location).toContain('done=incident-free')
  })

  test('is taken over only after the page has said who is on it', async () => {
    await take(ann)
    const { location } = await take(bob)
    expect(location).toBe(`${path}/take`)
    expect(await wordsFor(bob, `${path}/take`)).toContain(`${ann.account.email} has been on it since`)
    expect((await bob.post(`${path}/take`, { note: '', day: '' })).location).toBe(`${path}/take`)
    expect((await bob.submit(`${path}/take`, { note: 'She sleeps.' })).location).toContain('done=incident-taken')
    expect(lines((await ann.get(path)).text).at(-1)).toContain(
      `${bob.account.email} took over from ${ann.account.email}: ‘ She sleeps. ’`,
    )
  })

  test('is taken with an end, which is in the future and in the zone of the reader', async () => {
    const form = (day: string, time: string) => ann.post(`${path}/take`, { note: '', day, time })
    const today = t.clock.now().toString().slice(0, 10)
    expect(errorsOf((await form(today, '25:00')).text)).toEqual({ day: expect.stringContaining('08:00') })
    expect(errorsOf((await form(today, '00:01')).text)).toEqual({ day: expect.stringContaining('in the past') })
    const tooLong = await ann.post(`${path}/take`, { note: 'x'.repeat(1001), day: '', time: '' })
    expect([tooLong.status, Object.keys(errorsOf(tooLong.text))]).toEqual([422, ['note']])
    expect(await wordsFor(ann)).toContain('Nobody is on it.')
    await form(today, '23:30')
    expect(await wordsFor(ann)).toContain('until 23:30')
    t.clock.advance({ hours: 12 })
    expect(await wordsFor(ann)).toContain('Nobody is on it.')
  })

  test('keeps notes, and says what is wrong with one that is blank or too long', async () => {
    const note = (text: string) => ann.post(path, { action: 'note', note: text })
    for (const text of ['  ', 'x'.repeat(1001)]) {
      const answer = await note(text)
      expect([answer.status, Object.keys(errorsOf(answer.text))]).toEqual([422, ['note']])
    }
    // A line end counts once.
    expect((await note(`${'x'.repeat(499)}\r\n${'y'.repeat(500)}`)).location).toContain('done=note-added')
    await note('See https://example.org/why')
    const { text } = await bob.get(path)
    expect(lines(text).at(-1)).toContain(`${ann.account.email} noted: See https://example.org/why`)
    expect(text).toContain('href="https://example.org/why"')
  })

  test('shows a note that is one too many again, and says why it is not kept', async () => {
    const note = (text: string) => ann.post(path, { action: 'note', note: text })
    for (let count = 0; count < 100; count += 1) await note('again')
    const answer = await note('one too many')
    expect([answer.status, errorsOf(answer.text)]).toEqual([
      422,
      { note: 'The incident has 100 notes, and accepts no more.' },
    ])
    expect(answer.text).toContain('one too many</textarea>')
  })

  test('shows hostile notes as text', async () => {
    for (const text of HOSTILE.slice(0, 40)) await ann.post(path, { action: 'note', note: text.slice(0, 1000) })
    const { text } = await ann.get(path)
    expect(text).not.toContain('<script>window.ran')
    expect(text).not.toMatch(/<img src=x/)
    expect(text).not.toContain('href="javascript:')
  })

  test('retries an alert that failed, and comes back', async () => {
    const broken = await d.addChannel({ name: 'Broken', awaitsConfirmation: false })
    const other = await d.addCheck(broken.id, 'Other')
    t.answerWith(answered(503))
    await d.ping(other, '/fail')
    await d.deliver()
    const id = (await t.app.deps.store.checks.find(other))?.check.publicId
    const own = `/p/${t.project.slug}/alerts/${id}-1`
    const { text } = await ann.get(own)
    expect(lines(text).at(-1)).toContain('Broken has not been reached since')
    expect((await ann.submit(own, {}, `${own}-${broken.id}`)).location).toStartWith(own)
  })
})

describe('an incident that is over', () => {
  beforeEach(async () => {
    await take(ann)
    t.clock.advance({ minutes: 30 })
    await d.ping(check)
    await d.deliver()
  })

  test('is green, says how long it lasted and who was on it, and is the same page for ever', async () => {
    const { text } = await bob.get(path)
    expect(wordsOf(text)).toContain('Backup was down')
    expect(wordsOf(text)).toContain(`Recovered after 30 min. ${ann.account.email} was on it.`)
    expect(text).toContain('<div class="say up">')
    expect(lines(text).at(-1)).toContain('Pager was notified that it is over.')
  })

  test('is taken by nobody any more, but takes notes', async () => {
    expect((await take(bob)).location).toContain('done=incident-over')
    expect((await bob.get(`${path}/take`)).location).toContain('done=incident-over')
    expect((await bob.post(path, { action: 'note', note: 'It was the disk.' })).location).toContain('done=note-added')
    expect(await wordsFor(bob)).toContain('It was the disk.')
  })

  test('stands among the earlier ones of the next', async () => {
    await d.ping(check, '/fail')
    const events = (await t.app.deps.store.checks.find(check))?.check.nEvents
    const next = await wordsFor(bob, `/p/${t.project.slug}/alerts/${publicId}-${events}`)
    expect(next).toContain(`Earlier Failed, 12:00 30 min, ${ann.account.email}`)
  })
})

describe('who may only read', () => {
  test('sees all of it without addresses and ping URLs, and acts on nothing', async () => {
    await take(ann)
    await ann.post(path, { action: 'note', note: `Ping ${check} by hand` })
    const { text } = await reader.get(path)
    expect(wordsOf(text)).toContain('On it: somebody since')
    expect(wordsOf(text)).toContain('by hand')
    expect(text).not.toContain(ann.account.email)
    expect(text).not.toContain(check)
    expect(text).not.toContain('<textarea')
    for (const action of ['take', 'hand-back', 'note']) {
      expect((await reader.post(path, { action, note: 'x' })).status).toBe(403)
    }
    expect((await reader.get(`${path}/take`)).status).toBe(403)
  })

  test('reads a note in the text of the alert without its author', async () => {
    await ann.post(path, { action: 'note', note: 'Disk is full' })
    const words = async (browser: Browser) => wordsOf((await browser.get(path)).text)
    expect(await words(ann)).toContain(`Note by ${ann.account.email}`)
    expect(await words(reader)).toContain('Note by somebody')
  })

  test('reads no note in the text of the alert that came after it', async () => {
    t.clock.advance({ seconds: 1 })
    await ann.post(path, { action: 'note', note: 'Disk is full' })
    expect(await wordsFor(reader)).not.toContain('Note by')
  })
})

describe('its address', () => {
  test('in short leads to its page, for whoever may see that', async () => {
    expect((await reader.get(`/i/${publicId}-1`)).location).toBe(path)
    const stranger = await signedIn(t, await addAccount(t))
    expect((await stranger.get(`/i/${publicId}-1`)).status).toBe(404)
  })

  test('is not found for an incident that never was', async () => {
    for (const name of [`${publicId}-2`, `${publicId}-0`, 'zzzzzzzz-1', 'x'])
      expect((await ann.get(`/p/${t.project.slug}/alerts/${name}`)).status).toBe(404)
    expect((await ann.get('/i/zzzzzzzz-1')).status).toBe(404)
  })
})

describe('while it is open in a browser', () => {
  test('shows who is on it, notes and the recovery, and leaves what somebody types', async () => {
    // A second change on the same stream would wait.
    const toldOf = async (change: () => Promise<unknown>) => {
      const stream = await openStream(t, bob, `/p/${t.project.slug}/live?view=incident&incident=${publicId}-1`)
      await stream.take()
      await change()
      const data = (await stream.take()).map((event) => event.data).join('')
      await stream.leave()
      return data
    }
    expect(wordsOf(await toldOf(() => take(ann)))).toContain(`On it: ${ann.account.email}`)
    const noted = await toldOf(() => ann.post(path, { action: 'note', note: 'Looking.' }))
    expect(wordsOf(noted)).toContain('Looking.')
    expect(noted).not.toContain('<textarea')
    expect(wordsOf(await toldOf(() => d.ping(check)))).toContain('Recovered after')
  })
})
