/** Alerts to a channel in its quiet hours wait for their end, and are sent together then. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Channel } from '../../../src/domain/channel/channel.ts'
import type { QuietHours } from '../../../src/domain/channel/quiet-hours.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { testChannel } from '../../../src/services/channels/channel-test.ts'
import { createCourier } from '../../../src/services/courier/courier.ts'
import type { Store } from '../../../src/store/store.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { anAuthor } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { type CourierFixture, courierFixture } from './courier-fixture.ts'

const RIGA = 'Europe/Riga'
const NIGHT: QuietHours = { schedule: '0 22 * * *', tz: RIGA, seconds: 9 * 3_600, upTo: 'down' }

const SETTINGS = { value: 'ops@example.org', down: true, up: true, report: 'off', reminder: 'off', tz: RIGA }

let t: TestApp
let d: CourierFixture
beforeEach(async () => {
  t = await testApp({ env: { EMAIL_HOST: 'mail.example.org' } })
  d = courierFixture(t)
})
afterEach(() => t.close())

/** Winds the clock to a time in Riga. */
const windTo = (local: string) => {
  const at = Temporal.PlainDateTime.from(local).toZonedDateTime(RIGA).toInstant()
  t.clock.advance(t.clock.now().until(at))
}
/** Winds the clock to a time of the night from Wednesday to Thursday, and sends what is due. */
const at = async (time: string) => {
  windTo(`${time < '12:00' ? '2026-03-05' : '2026-03-04'}T${time}`)
  await d.deliver()
}
const mail = (over: Partial<Channel> = {}) =>
  d.addChannel({ kind: 'email', settings: SETTINGS, host: 'email', quietHours: NIGHT, ...over })
/** A kind that gets each alert alone. */
const hook = (over: Partial<Channel> = {}) => d.addChannel({ quietHours: NIGHT, ...over })
const change = (channel: Channel, quietHours: QuietHours | null) =>
  t.app.deps.store
    .by(anAuthor({ at: t.clock.now() }))
    .channels.change(channel.id, (it) => ({ channel: { ...it, quietHours } }))
const subjects = () => t.mails.map(({ subject }) => subject)
const entries = () => t.app.deps.store.deliveries.list(t.project.id, null, 20)

describe('in quiet hours', () => {
  test('an alert waits, and no attempt is counted', async () => {
    await mail()
    const check = await d.addCheck()
    await at('21:59')
    await d.ping(check, '/fail')
    await d.deliver()
    expect(subjects()).toEqual(['DOWN | Job'])
    await at('22:00')
    await d.ping(check)
    await d.deliver()
    await at('06:59:59')
    expect(subjects()).toEqual(['DOWN | Job'])
    const [held] = await entries()
    expect(held).toMatchObject({ delivery: { state: 'pending', attempts: 0 }, error: null })
    expect(held?.nextAttemptAt).toEqual(held?.delivery.heldUntil ?? null)
    await at('07:00')
    expect(subjects()).toEqual(['DOWN | Job', 'UP | Job'])
  })

  test('a retry waits too, and its day begins at their end', async () => {
    await mail({ quietHours: { ...NIGHT, schedule: '0 22 4 3 *' } })
    t.answerMailWith({ kind: 'unreachable', error: 'no route' })
    await at('21:59:58')
    await d.ping(await d.addCheck(), '/fail')
    await d.deliver()
    await at('22:00:10')
    expect([t.mails.length, await d.nextTry()]).toEqual([1, 32_390])
    await at('07:00')
    expect(t.mails).toHaveLength(2)
    windTo('2026-03-06T06:58')
    await d.deliver()
    expect(await entries()).toMatchObject([{ delivery: { state: 'pending' } }])
    windTo('2026-03-06T07:00')
    await d.deliver()
    expect(await entries()).toMatchObject([{ delivery: { state: 'failed' } }])
  })

  test('that hold warnings only, an alert that a check is down is sent at once', async () => {
    await mail({ quietHours: { ...NIGHT, upTo: 'warning' } })
    await at('23:30')
    await d.ping(await d.addCheck(), '/fail')
    await d.deliver()
    expect(subjects()).toEqual(['DOWN | Job'])
  })

  test('another channel of the check gets it at once', async () => {
    await mail()
    await d.addChannel()
    await at('02:00')
    await d.ping(await d.addCheck(), '/fail')
    await d.deliver()
    expect([t.mails.length, t.sent.length]).toEqual([0, 1])
  })

  test('the test of a channel is sent at once', async () => {
    const channel = await mail()
    await at('02:00')
    expect(await testChannel(t.app.deps, t.actor, channel, 'down')).toBeNull()
    expect(subjects()).toEqual(['DOWN | TEST'])
  })

  test('an alert waits an hour more by the clock in the night in which one is skipped', async () => {
    await mail()
    windTo('2026-03-28T23:00')
    await d.ping(await d.addCheck(), '/fail')
    await d.deliver()
    windTo('2026-03-29T07:59:59')
    await d.deliver()
    expect(t.mails).toHaveLength(0)
    windTo('2026-03-29T08:00')
    await d.deliver()
    expect(t.mails).toHaveLength(1)
  })
})

describe('when they end', () => {
  /** A check that went down at 2:00 and recovered at 2:20. */
  const shortOutage = async () => {
    const check = await d.addCheck()
    await at('02:00')
    await d.ping(check, '/fail')
    await at('02:20')
    await d.ping(check)
    return check
  }

  test('one mail tells both the outage and the recovery', async () => {
    await mail()
    await shortOutage()
    await at('07:00')
    await at('07:01')
    expect(subjects()).toEqual(['UP | Job'])
    const [text = ''] = t.mails.map((sent) => sent.text)
    expect(text).toContain('Job is UP')
    expect(text).toContain('DOWN at 02:00 (Europe/Riga): ')
    expect(text).toContain('UP at 02:20 (Europe/Riga): Up again after 20 min.')
    expect(await entries()).toMatchObject([
      { delivery: { state: 'sent', attempts: 1 } },
      { delivery: { state: 'sent', attempts: 1 } },
    ])
    expect(await d.nextTry()).toBeNull()
  })

  test('one mail tells of all checks, what is down first', async () => {
    await mail()
    await shortOutage()
    await d.ping(await d.addCheck('*', 'Backup'), '/fail')
    await d.deliver()
    await at('07:00')
    expect(subjects()).toEqual(['1 DOWN, 1 UP | Tests'])
    const [text = ''] = t.mails.map((sent) => sent.text)
    expect(text).toStartWith('1 check is DOWN, 1 is UP')
    expect(text.indexOf('Backup is DOWN')).toBeLessThan(text.indexOf('Job is UP'))
  })

  test('a kind that gets each alert alone hears nothing of what has ended, and everything else', async () => {
    await hook()
    const check = await shortOutage()
    const other = await d.addCheck('*', 'Backup')
    await d.ping(other, '/fail')
    await at('07:00')
    await at('07:01')
    expect(t.sent.map(({ body }) => body)).toEqual(['Backup is down'])
    const of = (await entries()).filter(({ delivery }) => delivery.checkId === check)
    const error = 'Cancelled by quiet hours: the incident ended before they did'
    expect(of).toMatchObject([
      { delivery: { state: 'failed', attempts: 0 }, error },
      { delivery: { state: 'failed', attempts: 0 }, error },
    ])
    await d.ping(check, '/fail')
    await d.deliver()
    expect(t.sent.map(({ body }) => body)).toEqual(['Backup is down', 'Job is down'])
  })

  test('a kind that gets each alert alone hears of the recovery from what it was told before', async () => {
    await hook()
    const check = await d.addCheck()
    await at('21:00')
    await d.ping(check, '/fail')
    await d.deliver()
    for (const [time, action] of [
      ['23:00', ''],
      ['23:30', '/fail'],
      ['23:40', ''],
    ] as const) {
      await at(time)
      await d.ping(check, action)
    }
    for (const time of ['07:00', '07:01', '07:02']) await at(time)
    expect(t.sent.map(({ body }) => body)).toEqual(['Job is down', 'Job is up'])
  })

  test('a message that is refused is tried again as a whole, with the same id', async () => {
    await mail()
    t.answerMailWith({ kind: 'unreachable', error: 'no route' })
    await shortOutage()
    await at('07:00')
    t.answerMailWith({ kind: 'accepted', response: '250 OK' })
    await at('07:00:05')
    const [first, second, ...others] = t.mails
    expect(others).toEqual([])
    expect(second?.id).toBe(first?.id ?? '')
    expect(second?.text).toBe(first?.text ?? '')
    expect(await entries()).toMatchObject([
      { delivery: { state: 'sent', attempts: 2 } },
      { delivery: { state: 'sent', attempts: 2 } },
    ])
  })

  test('a message that its receiver refuses for the words of one alert is sent alert by alert', async () => {
    await mail()
    const refused = { kind: 'refused', stage: 'message', status: 554, response: '5.7.1 spam' } as const
    t.answerMailWith(({ text }) => (text.includes('Spam is DOWN') ? refused : { kind: 'accepted', response: '250 OK' }))
    await shortOutage()
    await d.ping(await d.addCheck('*', 'Spam'), '/fail')
    await d.deliver()
    await at('07:00')
    for (let n = 1; n < 4; n += 1) await at(`07:00:0${n}`)
    const [together, ...alone] = subjects()
    expect(together).toBe('1 DOWN, 1 UP | Tests')
    // Only the alerts of one check have an order.
    expect(alone.filter((subject) => subject !== 'DOWN | Spam')).toEqual(['DOWN | Job', 'UP | Job'])
    expect(alone).toHaveLength(3)
    const ended = (await entries()).map(({ delivery, checkName }) => `${checkName} ${delivery.state}`)
    expect(ended.toSorted()).toEqual(['Job sent', 'Job sent', 'Spam failed'])
  })

  test('a message whose retries end fails as a whole, and none of its alerts is sent alone', async () => {
    await mail({ quietHours: { ...NIGHT, schedule: '0 22 4 3 *' } })
    t.answerMailWith({ kind: 'unreachable', error: 'no route' })
    await shortOutage()
    await at('07:00')
    for (const time of ['06:58', '06:59', '07:00', '07:01', '07:02']) {
      windTo(`2026-03-06T${time}`)
      await d.deliver()
    }
    expect((await entries()).map(({ delivery }) => delivery.state)).toEqual(['failed', 'failed'])
    expect(new Set(t.mails.map(({ id }) => id)).size).toBe(1)
  })

  test('an alert that has been tried for less than a day is tried again, although an older one of its message fails', async () => {
    await mail()
    t.answerMailWith({ kind: 'unreachable', error: 'no route' })
    windTo('2026-03-03T21:50')
    await d.ping(await d.addCheck('*', 'Old'), '/fail')
    await d.deliver()
    for (let night = 4; night < 8; night += 1) {
      for (let minute = 0; minute < 16 * 60; minute += 15) {
        windTo(
          `2026-03-0${night}T${String(7 + Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
        )
        await d.deliver()
      }
      if (night === 6) await d.ping(await d.addCheck('*', 'New'), '/fail')
      await d.deliver()
    }
    const states = (await entries()).map(({ checkName, delivery }) => `${checkName} ${delivery.state}`)
    expect(states.toSorted()).toEqual(['New pending', 'Old failed'])
  })

  test('an outage that is over is told as one, where recoveries are not wanted', async () => {
    await mail({ settings: { ...SETTINGS, up: false } })
    await shortOutage()
    await at('07:00')
    expect(subjects()).toEqual(['no longer DOWN | Job'])
  })

  test('a crash between sending and recording sends all of it again, with the same id', async () => {
    await mail()
    await shortOutage()
    const crashing: Store = replaced(t.app.deps.store, {
      deliveries: {
        record: async () => {
          throw new Error('the process is gone')
        },
      },
    })
    windTo('2026-03-05T07:00')
    await d.deliver(createCourier({ ...t.app.deps, store: crashing }))
    t.clock.advance({ seconds: 9 })
    await d.deliver()
    expect(t.mails).toHaveLength(1)
    t.clock.advance({ seconds: 1 })
    await d.deliver()
    await d.deliver()
    expect(t.mails).toHaveLength(2)
    expect(new Set(t.mails.map(({ id }) => id)).size).toBe(1)
    expect((await entries()).map(({ delivery }) => delivery.state)).toEqual(['sent', 'sent'])
  })

  test('a message is about at most 100 checks, and what is down comes first', async () => {
    await mail()
    await at('02:00')
    for (let n = 1; n <= 102; n += 1) {
      const check = await d.addCheck('*', `Job ${n}`)
      await d.ping(check, '/fail')
      if (n <= 5) await d.ping(check)
    }
    await d.deliver()
    await at('07:00')
    await at('07:00:01')
    await at('07:00:02')
    expect(subjects()).toEqual(['97 DOWN, 3 UP | Tests', '2 UP | Tests'])
    expect((await entries()).every(({ delivery }) => delivery.state === 'sent')).toBe(true)
  })
})

describe('a change of the quiet hours', () => {
  test('sends what waits, if they are removed', async () => {
    const channel = await mail()
    await at('02:00')
    await d.ping(await d.addCheck(), '/fail')
    await at('02:01')
    await change(channel, null)
    await d.deliver()
    expect(subjects()).toEqual(['DOWN | Job'])
  })

  test('holds it until their new end', async () => {
    const channel = await mail()
    await at('02:00')
    await d.ping(await d.addCheck(), '/fail')
    await at('02:01')
    await change(channel, { ...NIGHT, seconds: 8 * 3_600 })
    await at('02:02')
    expect(t.mails).toHaveLength(0)
    await at('06:00')
    expect(subjects()).toEqual(['DOWN | Job'])
  })

  test('wakes however many wait, in steps', async () => {
    const channel = await mail()
    const more = 503
    await at('02:00')
    for (let n = 0; n < more; n += 1) await d.ping(await d.addCheck('*', `Job ${n}`), '/fail')
    await d.deliver()
    await d.deliver()
    expect(await d.nextTry()).toBe(5 * 3_600)
    await change(channel, null)
    for (let mails = 0; mails < 7; mails += 1) await d.deliver()
    const told = t.mails.flatMap(({ text }) => text.match(/^Job \d+ is DOWN$/gm) ?? [])
    expect([told.length, new Set(told).size]).toEqual([more, more])
  })

  test('of another setting leaves it held', async () => {
    const channel = await mail()
    await at('02:00')
    await d.ping(await d.addCheck(), '/fail')
    await at('02:01')
    await change(channel, { ...NIGHT })
    expect(await d.nextTry()).toBe(5 * 3_600 - 60)
  })
})

test('a person cannot send at once what waits for the end of quiet hours', async () => {
  await mail()
  await at('02:00')
  await d.ping(await d.addCheck(), '/fail')
  await at('02:01')
  const [held] = await entries()
  const { store } = t.app.deps
  const sendNow = store.by(anAuthor({ at: t.clock.now() })).deliveries.change(held?.delivery.id ?? '', 'send-now')
  expect(await sendNow).toBe(false)
  expect(await store.deliveries.listWaiting(held?.delivery.channelId ?? '', t.clock.now(), 10)).toEqual([])
})

test('channels without quiet hours are served while others wait', async () => {
  for (let n = 0; n < 30; n += 1) await hook({ host: `${n}.example` })
  await d.addChannel()
  await at('02:00')
  await d.ping(await d.addCheck(), '/fail')
  for (let look = 0; look < 5; look += 1) await d.deliver()
  expect(t.sent).toHaveLength(1)
})
