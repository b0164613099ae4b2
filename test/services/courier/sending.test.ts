import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { MailAnswer } from '../../../src/domain/carrier/mail.ts'
import { uniqueKey } from '../../../src/domain/check/unique-key.ts'
import { createCourier } from '../../../src/services/courier/courier.ts'
import { webhook } from '../../support/store-builders.ts'
import { answered, type TestApp, testApp } from '../../support/test-app.ts'
import { type CourierFixture, courierFixture } from './courier-fixture.ts'

let t: TestApp
let d: CourierFixture
beforeEach(async () => {
  t = await testApp()
  d = courierFixture(t)
})
afterEach(() => t.close())

describe('a delivery', () => {
  test('is sent exactly once', async () => {
    await d.addChannel()
    await d.ping(await d.addCheck(), '/fail')
    await d.deliver()
    await d.deliver()
    t.clock.advance({ hours: 48 })
    await d.deliver()
    expect(t.sent.map(({ url, body }) => [url, body])).toEqual([['https://example.org/down', 'Job is down']])
    expect((await d.channelNow()).lastError).toBeNull()
  })

  test('links to the page of its check by an address that opens there and is no secret', async () => {
    await t.close()
    t = await testApp({ env: { EMAIL_HOST: 'mail.example.org', SITE_ROOT: 'https://overdue.example' } })
    d = courierFixture(t)
    await d.addChannel({ kind: 'email', settings: 'ops@example.org' })
    await d.addChannel({ kind: 'slack', settings: 'https://hooks.slack.test/x' })
    const check = await d.addCheck()
    await d.ping(check, '/fail')
    await d.deliver()
    const [mail] = t.mails
    const links = `${mail?.html} ${t.sent[0]?.body}`.match(/https:\/\/overdue\.example[^"\s]*/g)
    const page = `https://overdue.example/cloaked/${uniqueKey(check)}/`
    const incident = links?.find((link) => link.includes('/i/')) ?? ''
    expect(new Set(links)).toEqual(new Set([incident, page, mail?.unsubscribeUrl ?? '']))
    expect(incident).toMatch(/^https:\/\/overdue\.example\/i\/[0-9a-z]{8}-1$/)
  })

  test('begins with the sentence of the page at the time of the flip, also when it is tried again after the next ping', async () => {
    await d.addChannel({ kind: 'slack', settings: 'https://hooks.slack.test/x' })
    const check = await d.addCheck()
    await d.ping(check)
    t.clock.advance({ hours: 25 })
    await t.app.settle('overdue')
    t.answerWith(answered(500))
    await d.deliver()
    t.clock.advance({ minutes: 10 })
    await d.ping(check)
    t.answerWith(answered(200))
    await d.deliver()
    await d.deliver()
    const down = 'No ping since yesterday 12:00 UTC. Due 12:00, one hour of grace ended 13:00.'
    const up = 'Up again after 10 min. Next ping due tomorrow at 13:10 UTC.'
    expect(t.sent.map(({ body }) => JSON.parse(body).attachments[0].text)).toEqual([down, down, up])
  })

  test('says that the body was dropped when the log had no room for it', async () => {
    await t.close()
    t = await testApp({ env: { EMAIL_HOST: 'mail.example.org', PING_LOG_BYTES: '10' } })
    d = courierFixture(t)
    await d.addChannel({ kind: 'email', settings: 'ops@example.org' })
    await d.addChannel({ kind: 'slack', settings: 'https://hooks.slack.test/x' })
    const check = await d.addCheck()
    await t.call('POST', `/ping/${check}/fail`, { body: 'x'.repeat(11) })
    t.clock.advance({ seconds: 1 })
    await t.call('POST', `/ping/${check}/log`, { body: 'the newest keeps its own' })
    await t.app.settle('retention')
    await d.deliver()
    const words = "A body of 11 bytes was dropped because the check's log is full."
    expect(t.mails.map(({ text }) => text)).toEqual([expect.stringContaining(words)])
    expect(t.sent.map(({ body }) => body)).toEqual([expect.stringContaining(words)])
  })

  test('goes to every channel of the check', async () => {
    await d.addChannel({ settings: webhook('https://one.example/') })
    await d.addChannel({ settings: webhook('https://two.example/') })
    await d.ping(await d.addCheck(), '/fail')
    await d.deliver()
    expect(t.sent.map(({ url }) => url).toSorted()).toEqual(['https://one.example/', 'https://two.example/'])
  })

  test('follows a receiver that has moved, and so do later ones', async () => {
    await t.close()
    t = await testApp({ env: { TELEGRAM_TOKEN: '1:secret' } })
    d = courierFixture(t)
    await d.addChannel({ kind: 'telegram', settings: { id: -1001, name: 'Ops' } })
    const check = await d.addCheck()
    await d.ping(check, '/fail')
    const parameters = { migrate_to_chat_id: -100234 }
    t.answerWith(({ body }) => {
      return JSON.parse(body).chat_id === -1001 ? answered(400, {}, JSON.stringify({ parameters })) : answered(200)
    })
    await d.deliver()
    expect((await d.channelNow()).lastError).toBe('The group became a supergroup with the chat number -100234')
    t.clock.advance({ seconds: 5 })
    await d.deliver()
    await d.ping(check)
    await d.deliver()
    expect(t.sent.map(({ body }) => JSON.parse(body).chat_id)).toEqual([-1001, -100234, -100234])
    const settings = { id: -100234, name: 'Ops' }
    expect(await d.channelNow()).toMatchObject({ settings, lastError: null, disabledReason: null })
  })

  test('that fails is retried after twice the time each time, at most an hour, and failed for a day', async () => {
    await d.addChannel()
    await d.ping(await d.addCheck(), '/fail')
    t.answerWith(answered(503))
    const waits: number[] = []
    await d.deliver()
    for (let wait = await d.nextTry(); wait !== null; wait = await d.nextTry()) {
      waits.push(wait)
      t.clock.advance({ milliseconds: wait * 1000 - 1 })
      await d.deliver()
      t.clock.advance({ milliseconds: 1 })
      await d.deliver()
    }
    expect(waits.slice(0, 12)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600])
    expect(t.sent).toHaveLength(waits.length + 1)
    const day = waits.reduce((sum, wait) => sum + wait, 0)
    expect(day).toBeGreaterThan(86_400 - 3600)
    expect(day).toBeLessThanOrEqual(86_400)
    expect(await d.channelNow()).toMatchObject({
      lastError: 'Received status code 503; failed for a day',
      disabledReason: null,
    })
  })

  test('that succeeds in the end leaves no error', async () => {
    await d.addChannel()
    await d.ping(await d.addCheck(), '/fail')
    t.answerWith(answered(500))
    await d.deliver()
    expect((await d.channelNow()).lastError).toBe('Received status code 500')
    t.answerWith(answered(204))
    t.clock.advance({ seconds: 5 })
    await d.deliver()
    expect((await d.channelNow()).lastError).toBeNull()
    expect(await d.nextTry()).toBeNull()
  })

  test.each([
    ['90', 90],
    ['1', 5],
    ['Wed, 04 Mar 2026 12:10:00 GMT', 600],
    ['soon', 5],
  ])('waits at least as long as Retry-After asks: %s', async (header, seconds) => {
    await d.addChannel()
    await d.ping(await d.addCheck(), '/fail')
    t.answerWith(answered(429, { 'Retry-After': header }))
    await d.deliver()
    expect(await d.nextTry()).toBe(seconds)
  })

  test('that a retry cannot help is given up at once, and the channel stays enabled', async () => {
    await d.addChannel()
    const id = await d.addCheck()
    await d.ping(id, '/fail')
    const error = 'Connections to private addresses are not allowed'
    t.answerWith({ kind: 'unreachable', error, permanent: true })
    await d.deliver()
    expect(await d.channelNow()).toMatchObject({ disabledReason: null, lastError: error })
    expect(await d.nextTry()).toBeNull()
    t.answerWith(answered(200))
    await d.ping(id)
    await d.deliver()
    expect(t.sent.map(({ body }) => body)).toEqual(['Job is down', 'Job is up'])
  })

  test('that its receiver will never accept disables the channel, also for its pending deliveries', async () => {
    await d.addChannel()
    const [first, second] = [await d.addCheck(), await d.addCheck()]
    await d.ping(first, '/fail')
    await d.ping(first)
    t.answerWith(answered(410))
    await d.deliver(d.strict())
    await d.deliver(d.strict())
    expect(t.sent).toHaveLength(1)
    expect(await d.channelNow()).toMatchObject({ disabledReason: 'gone for good' })
    expect(await d.nextTry()).toBeNull()
    t.answerWith(answered(200))
    await d.ping(second, '/fail')
    await d.deliver()
    expect(t.sent).toHaveLength(1)
    expect(await d.nextTry()).toBeNull()
  })

  test('to a kind without a transport fails with that reason', async () => {
    await d.addChannel()
    await d.ping(await d.addCheck(), '/fail')
    await d.deliver(createCourier({ ...t.app.deps, transports: new Map() }))
    expect(t.sent).toEqual([])
    expect(await d.nextTry()).toBeNull()
    expect((await d.channelNow()).lastError).toBe('This version of the server cannot send messages of kind "webhook"')
  })

  test('that needs a setting of the operator waits for it, and says so', async () => {
    await d.addChannel({ kind: 'email', settings: 'ops@example.org' })
    await d.ping(await d.addCheck(), '/fail')
    await d.deliver()
    expect(t.sent).toEqual([])
    expect(await d.nextTry()).toBe(5)
    expect(await d.channelNow()).toMatchObject({
      lastError: 'No mail server is set up: enter it at Administration › Mail, or set EMAIL_HOST',
      disabledReason: null,
    })
    expect(t.log.filter(({ level }) => level === 'warning').map(({ message }) => message)).toEqual([
      'delivery will be tried again',
    ])
  })

  test('whose settings do not make a message is given up at once, and the others go on', async () => {
    await d.addChannel({ settings: { ...webhook(), headers_down: { 'no header': 'x' } } })
    await d.addChannel({ settings: webhook('https://two.example/') })
    await d.ping(await d.addCheck(), '/fail')
    await d.deliver()
    expect(t.sent.map(({ url }) => url)).toEqual(['https://two.example/'])
    const [broken] = await t.app.deps.store.channels.list(t.project.id)
    expect(broken?.lastError).toBe('The settings are not valid')
    expect(await d.nextTry()).toBeNull()
  })

  test('with an error of any length keeps its first 200 characters', async () => {
    await d.addChannel()
    await d.ping(await d.addCheck(), '/fail')
    t.answerWith({ kind: 'unreachable', error: 'x'.repeat(5000), permanent: false })
    await d.deliver()
    expect((await d.channelNow()).lastError).toBe('x'.repeat(200))
  })
})

describe('an email whose content the mail server refuses', () => {
  const refused: MailAnswer = { kind: 'refused', stage: 'message', status: 554, response: '554 5.7.1 looks like spam' }

  beforeEach(async () => {
    await t.close()
    t = await testApp({ env: { EMAIL_HOST: 'mail.test' } })
    d = courierFixture(t)
    await d.addChannel({ kind: 'email', settings: 'ops@example.org' })
    await t.call('POST', `/ping/${await d.addCheck()}/fail`, { body: 'BUY PILLS' })
  })
  const texts = () => t.mails.map(({ text }) => text.includes('BUY PILLS'))
  const outcome = async () => {
    const [entry] = await t.app.deps.store.deliveries.list(t.project.id, null, 1)
    return [entry?.delivery.state, entry?.delivery.attempts, entry?.error]
  }

  test('is sent at once without the body of the ping, under the same id', async () => {
    t.answerMailWith(({ text }) => (text.includes('PILLS') ? refused : { kind: 'accepted', response: '250 OK' }))
    await d.deliver()
    expect(texts()).toEqual([true, false])
    expect(new Set(t.mails.map(({ id }) => id)).size).toBe(1)
    expect(await outcome()).toEqual(['sent', 1, null])
  })

  test('fails when it is refused without the body too', async () => {
    t.answerMailWith(refused)
    await d.deliver()
    expect(texts()).toEqual([true, false])
    const error = 'The mail server rejected the email: 554 5.7.1 looks like spam'
    expect(await outcome()).toEqual(['failed', 1, error])
  })

  test('is retried with the body when no server answers to the email without it', async () => {
    t.answerMailWith(({ text }) => (text.includes('PILLS') ? refused : { kind: 'unreachable', error: 'Nobody there' }))
    await d.deliver()
    expect(await outcome()).toEqual(['pending', 1, 'Nobody there'])
    t.clock.advance({ seconds: 5 })
    await d.deliver()
    expect(texts()).toEqual([true, false, true, false])
  })
})
