import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Mail } from '../../../src/domain/carrier/mail.ts'
import type { Channel } from '../../../src/domain/channel/channel.ts'
import { unsubscribeUrl } from '../../../src/domain/mail/links.ts'
import { createChannel, editChannel } from '../../../src/services/channels/channels.ts'
import { sendMailings } from '../../../src/services/mail/mailings.ts'
import { recoverFromOutage } from '../../../src/services/server/outage.ts'
import { handClock } from '../../support/clock.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { only, testRandom } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'
import { withKinds } from '../changed-kinds.ts'

const ENV = {
  EMAIL_HOST: 'mail.example.org',
  DEFAULT_FROM_EMAIL: 'overdue@example.org',
  SITE_ROOT: 'https://overdue.example',
  SECRET_KEY: 'a secret of at least thirty-two characters',
}

let t: TestApp
const begin = async (now: string, env: Record<string, string> = {}) => {
  t = await testApp({ clock: handClock(now), env: { ...ENV, ...env } })
}
afterEach(() => t.close())

/** Dependencies with the middle of each spread, so that back-off and dates are not random. */
const deps = () => ({ ...t.app.deps, random: testRandom })

const addChannel = (asks: object, name = 'Mail') =>
  createChannel(deps(), t.actor, { kind: 'email', name, settings: { value: 'ops@example.org', ...asks } })
const addCheck = async (json: object) =>
  (await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: t.keys.apiKey, json })).uuid

/** Advances the clock; work that becomes due before is done at its time. */
async function until(instant: string): Promise<void> {
  for (;;) {
    const due = [await t.app.deps.store.flips.nextLookAt(), await t.app.deps.store.mailings.nextAt()].filter(
      (it) => it !== null,
    )
    const next = due.map(String).toSorted()[0]
    if (next === undefined || next > instant) break
    if (next > String(t.clock.now())) t.clock.set(next)
    await t.app.settle('overdue')
    await sendMailings(deps())
  }
  t.clock.set(instant)
}
const pingAt = async (instant: string, check: string, action = '') => {
  await until(instant)
  expect((await t.call('GET', `/ping/${check}${action}`)).status).toBe(200)
}
const subjects = () => t.mails.map(({ subject }) => subject)
const linesOf = ({ text }: Mail) => text.split('\n')
const channelNow = async (): Promise<Channel> => only(await t.app.deps.store.channels.list(t.project.id))
const nextDate = async () => String(await t.app.deps.store.mailings.nextAt())

describe('a report', () => {
  beforeEach(() => begin('2026-01-20T12:00:00Z'))

  test('of a month gives the downtime of every check, in a complete email', async () => {
    const channel = await addChannel({ report: 'monthly', tz: 'Europe/Riga' })
    const backup = await addCheck({ name: 'Backup <nightly>', timeout: 31_536_000 })
    const flapping = await addCheck({ name: 'Flapping', timeout: 31_536_000 })
    await addCheck({ name: 'New', timeout: 31_536_000 })
    for (const check of [backup, flapping]) await pingAt('2026-01-20T12:00:00Z', check)
    // Midnight in Riga is 22:00 in UTC: two hours of January, three of February.
    await pingAt('2026-01-31T20:00:00Z', backup, '/fail')
    await pingAt('2026-02-01T01:00:00Z', backup)
    await pingAt('2026-02-10T10:00:00Z', flapping, '/fail')
    await pingAt('2026-02-10T11:30:00Z', flapping)
    await pingAt('2026-02-11T10:00:00Z', flapping, '/fail')
    await pingAt('2026-02-11T10:00:30Z', flapping)
    // After the end of February.
    await pingAt('2026-03-01T01:00:00Z', backup, '/fail')
    t.mails.length = 0
    await until('2026-03-01T08:00:00Z')

    const mail = only(t.mails)
    expect(mail).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
      to: 'ops@example.org',
      subject: 'Monthly Report: Tests (Overdue)',
      text: expect.any(String),
      html: expect.any(String),
      unsubscribeUrl: expect.stringMatching(
        new RegExp(`^https://overdue.example/integrations/${channel.id}/unsub/report/[\\w-]{32}/$`),
      ),
    })
    expect(linesOf(mail)).toEqual([
      'Monthly Report',
      '',
      'Project Tests. February 2026: 3 checks, 3 downtimes of 4 hours, 30 minutes in total.',
      '',
      'Check             Status  January 2026                                 February 2026',
      'Backup <nightly>  DOWN    99.27 % since 20 Jan, 1 downtime of 2 hours  99.55 %, 1 downtime of 3 hours',
      'Flapping          up      100.00 % since 20 Jan                        99.77 %, 2 downtimes of 1 hour, 30 minutes in total',
      'New               new     no data                                      no data',
      '',
      'Down now (times in Europe/Riga)',
      '-------------------------------',
      '',
      '- Backup <nightly>: Failed. Down for 7 h.',
      '',
      '-- ',
      'You get monthly reports for project Tests on Overdue.',
      '',
      'Unsubscribe:',
      mail.unsubscribeUrl ?? '',
      '',
    ])
    expect(mail.html).toMatch(
      /<a href="https:\/\/overdue\.example\/cloaked\/[0-9a-f]{40}\/"[^>]*>Backup &lt;nightly&gt;<\/a>/,
    )
    expect(mail.html).toContain('99.55 %, 1 downtime of 3 hours</td>')
    // 10:00 in Riga, where the clock is changed during the month.
    expect(await nextDate()).toBe('2026-04-01T07:00:00Z')
  })

  test('comes every day, week or month at its hour, and at no other time', async () => {
    await pingAt('2026-01-20T12:00:00Z', await addCheck({ timeout: 31_536_000 }))
    for (const report of ['daily', 'weekly', 'monthly']) await addChannel({ report }, report)
    await until('2026-03-20T11:59:59Z')
    const count = (title: string) => subjects().filter((subject) => subject.startsWith(title)).length
    expect([count('Daily Report'), count('Weekly Report'), count('Monthly Report')]).toEqual([59, 8, 2])
    expect(new Set(t.mails.map(({ id }) => id)).size).toBe(69)
  })

  test('is not sent for a project that nobody uses; its date moves on', async () => {
    await addChannel({ report: 'daily' })
    await until('2026-01-21T12:00:00Z')
    await addCheck({})
    await until('2026-01-22T12:00:00Z')
    expect([subjects(), await nextDate()]).toEqual([[], '2026-01-23T10:00:00Z'])
    await pingAt('2026-01-22T12:00:00Z', await addCheck({ timeout: 31_536_000 }))
    await until('2026-01-23T12:00:00Z')
    expect(subjects()).toEqual(['Daily Report: Tests (Overdue)'])
  })

  test('starts, changes and ends with an edit of the channel; other edits keep its date', async () => {
    await pingAt('2026-01-20T12:00:00Z', await addCheck({ timeout: 31_536_000 }))
    const edit = async (settings: object, name = 'Mail') =>
      editChannel(deps(), t.actor, await channelNow(), { name, settings: { value: 'ops@example.org', ...settings } })
    await addChannel({})
    expect(await nextDate()).toBe('null')
    await edit({ report: 'daily' })
    expect(await nextDate()).toBe('2026-01-21T10:00:00Z')
    await until('2026-01-21T08:00:00Z')
    await edit({ report: 'daily', up: false }, 'Other')
    expect(await nextDate()).toBe('2026-01-21T10:00:00Z')
    await edit({ report: 'weekly' })
    expect(await nextDate()).toBe('2026-01-26T10:00:00Z')
    await edit({ report: 'off' })
    expect(await nextDate()).toBe('null')
  })

  test('keeps its day when the time zone is edited, even that morning: none is lost or comes twice', async () => {
    await pingAt('2026-01-20T12:00:00Z', await addCheck({ name: 'Job', timeout: 31_536_000 }))
    const edit = async (tz: string) =>
      editChannel(deps(), t.actor, await channelNow(), {
        settings: { value: 'ops@example.org', report: 'daily', tz },
      })
    await addChannel({ report: 'daily' })
    const days = () =>
      t.mails.map((mail) => linesOf(mail)[2]?.slice('Project Tests. '.length, -': 1 check, no downtime.'.length))
    // Ten in the morning there, two hours before the email was due.
    await until('2026-01-21T08:00:00Z')
    await edit('Europe/Riga')
    await until('2026-01-21T08:01:00Z')
    expect(days()).toEqual(['20 Jan 2026'])
    // Already the 22nd there.
    await until('2026-01-21T12:00:00Z')
    await edit('Pacific/Kiritimati')
    expect(await nextDate()).toBe('2026-01-21T20:00:00Z')
    await edit('America/New_York')
    await until('2026-01-22T14:00:00Z')
    await edit('UTC')
    await until('2026-01-24T12:00:00Z')
    expect(days()).toEqual(['20 Jan 2026', '21 Jan 2026', '22 Jan 2026', '23 Jan 2026'])
  })

  test('lets pings in between, however many flips it sums up, and sums up each of them', async () => {
    const check = await addCheck({ name: 'Flapping', timeout: 31_536_000 })
    await addChannel({ report: 'daily' })
    await until('2026-01-20T13:00:00Z')
    const flaps = Array.from({ length: 1002 }, (_, index) => (index % 2 === 0 ? '/fail' : ''))
    for (const action of flaps) {
      t.clock.advance({ seconds: 1 })
      await t.call('GET', `/ping/${check}${action}`)
    }
    t.clock.set('2026-01-21T10:30:00Z')
    const turns: number[] = []
    const count = () => {
      turns.push(t.mails.length)
      if (t.mails.length === 0) setImmediate(count)
    }
    setImmediate(count)
    await sendMailings(deps())
    expect(linesOf(only(t.mails))[2]).toBe(
      'Project Tests. 20 Jan 2026: 1 check, 501 downtimes of 8 minutes, 21 seconds in total.',
    )
    expect(turns.filter((mails) => mails === 0).length).toBeGreaterThanOrEqual(3)
  })

  test('after an outage of days is sent once, the latest', async () => {
    await addChannel({ report: 'daily' })
    await pingAt('2026-01-20T12:00:00Z', await addCheck({ name: 'Job', timeout: 31_536_000 }))
    t.clock.set('2026-01-24T20:00:00Z')
    await t.app.settle('mailings')
    expect(linesOf(only(t.mails))[2]).toBe('Project Tests. 23 Jan 2026: 1 check, no downtime.')
    expect(String(await t.app.deps.store.mailings.nextAt())).toStartWith('2026-01-25T')
  })
})

describe('a reminder', () => {
  beforeEach(() => begin('2026-03-04T12:00:00Z'))

  /** Creates a check that goes down only by a failure. */
  const quiet = (name: string) => addCheck({ name, timeout: 31_536_000 })

  test('comes an hour after a check went down, then every hour until all are up', async () => {
    await addChannel({ reminder: 'hourly', tz: 'Europe/Riga' })
    const [disk, mail] = [await quiet('Disk'), await quiet('Mail')]
    await pingAt('2026-03-04T12:00:00Z', disk, '/2')
    await pingAt('2026-03-04T12:40:00Z', mail, '/fail')
    await until('2026-03-04T12:59:59Z')
    expect(subjects()).toEqual([])
    await pingAt('2026-03-04T13:30:00Z', disk)
    await pingAt('2026-03-04T14:30:00Z', mail)
    await until('2026-03-05T12:00:00Z')
    expect(subjects()).toEqual(['Reminder: 2 checks still down', 'Reminder: 1 check still down'])
    const [first, second] = t.mails
    expect(first && linesOf(first)).toEqual([
      'Reminder: 2 checks still down',
      '',
      'Project Tests. Times are in Europe/Riga.',
      '',
      'Check  Down since                       What is wrong',
      'Disk   Wed, 04 Mar 2026 14:00:00 +0200  Failed: exit status 2. Down for 1 h.',
      'Mail   Wed, 04 Mar 2026 14:40:00 +0200  Failed. Down for 20 min.',
      '',
      '-- ',
      'You get hourly reminders for project Tests on Overdue while a check is down.',
      '',
      'Unsubscribe:',
      first?.unsubscribeUrl ?? '',
      '',
    ])
    expect(first?.id).not.toBe(second?.id)
    expect(await nextDate()).toBe('null')
  })

  test('is not sent if no check is down when it is written', async () => {
    await addChannel({ reminder: 'hourly' })
    await pingAt('2026-03-04T12:00:00Z', await quiet('a'), '/fail')
    t.clock.set('2026-03-04T13:00:00Z')
    const raced = {
      ...deps(),
      store: replaced(t.app.deps.store, { mailings: { listDownCandidates: async () => [] } }),
    }
    await sendMailings(raced)
    expect([subjects(), await nextDate()]).toEqual([[], '2026-03-04T14:00:00Z'])
  })
})

describe('a mail server', () => {
  beforeEach(async () => {
    await begin('2026-03-04T12:00:00Z')
    await addChannel({ reminder: 'hourly' })
    await pingAt('2026-03-04T12:00:00Z', await addCheck({ name: 'Disk', timeout: 31_536_000 }), '/fail')
  })

  test('that is down is retried, later and later, under the same id, until it accepts the email', async () => {
    t.answerMailWith({ kind: 'unreachable', error: 'Connection refused' })
    await until('2026-03-04T13:01:00Z')
    expect(t.mails).toHaveLength(4)
    expect((await channelNow()).lastError).toBe('Connection refused')
    expect(await nextDate()).toBe('2026-03-04T13:01:15Z')
    t.answerMailWith({ kind: 'accepted', response: '250 OK' })
    await until('2026-03-04T13:59:59Z')
    expect(t.mails).toHaveLength(5)
    expect(new Set(t.mails.map(({ id }) => id)).size).toBe(1)
    expect((await channelNow()).lastError).toBeNull()
    expect(await nextDate()).toBe('2026-03-04T14:00:00Z')
  })

  test('that stays down loses only the emails of that time; each has its own id', async () => {
    t.answerMailWith({ kind: 'unreachable', error: 'Connection refused' })
    await until('2026-03-04T15:59:59Z')
    expect(new Set(t.mails.map(({ id }) => id)).size).toBe(3)
    t.answerMailWith({ kind: 'accepted', response: '250 OK' })
    const before = t.mails.length
    await until('2026-03-04T16:59:59Z')
    expect(t.mails).toHaveLength(before + 1)
  })

  test('that refuses the address permanently disables the channel, which then gets nothing', async () => {
    t.answerMailWith({ kind: 'refused', stage: 'recipient', status: 550, response: '550 5.1.1 no such user' })
    await until('2026-03-05T12:00:00Z')
    expect(t.mails).toHaveLength(1)
    expect((await channelNow()).disabledReason).toBe('The mail server rejected the address: 550 5.1.1 no such user')
    expect(await nextDate()).toBe('2026-03-05T13:00:00Z')
  })

  test('that refuses one email gets the next', async () => {
    t.answerMailWith({ kind: 'refused', stage: 'message', status: 554, response: '554 too long' })
    await until('2026-03-04T15:59:59Z')
    expect(t.mails).toHaveLength(3)
    expect(await channelNow()).toMatchObject({
      disabledReason: null,
      lastError: 'The mail server rejected the email: 554 too long',
    })
  })

  test('with a long answer leaves its first 200 characters as the error', async () => {
    t.answerMailWith({ kind: 'unreachable', error: 'x'.repeat(5000) })
    await until('2026-03-04T13:00:00Z')
    expect((await channelNow()).lastError).toBe('x'.repeat(200))
  })

  test('gets the same email again after a crash, once the lease is over', async () => {
    t.clock.set('2026-03-04T13:00:00Z')
    const crash = new Error('killed')
    const dying = {
      ...deps(),
      store: replaced(t.app.deps.store, { mailings: { record: () => Promise.reject(crash) } }),
    }
    await sendMailings(dying)
    expect(t.log.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
      'mailing could not be finished',
    ])
    await until('2026-03-04T13:04:59Z')
    expect(t.mails).toHaveLength(1)
    await until('2026-03-04T13:05:00Z')
    const [first, second] = t.mails
    expect(t.mails).toHaveLength(2)
    expect(second?.id).toBe(first?.id ?? '')
    await until('2026-03-04T13:59:59Z')
    expect(t.mails).toHaveLength(2)
  })
})

describe('an internal error', () => {
  beforeEach(async () => {
    await begin('2026-03-04T12:00:00Z')
    await addChannel({ reminder: 'hourly' })
    await pingAt('2026-03-04T12:00:00Z', await addCheck({ name: 'Disk', timeout: 31_536_000 }), '/fail')
    t.clock.set('2026-03-04T13:00:00Z')
  })

  const fault = () => {
    throw new Error('an internal error')
  }
  const withoutJudge = () => withKinds(deps(), { judge: fault })
  const errors = () =>
    t.log.filter(({ level }) => level === 'error').map(({ message, details }) => [message, details.reason])

  test('in judging the answer neither fails an accepted email nor sends it again', async () => {
    await sendMailings(withoutJudge())
    expect(errors()).toEqual([['answer could not be judged', 'Error: an internal error']])
    expect((await channelNow()).lastError).toBeNull()
    expect(await nextDate()).toBe('2026-03-04T14:00:00Z')
    await until('2026-03-04T13:59:59Z')
    expect(t.mails).toHaveLength(1)
  })

  test('in judging the answer retries an email that was not accepted', async () => {
    t.answerMailWith({ kind: 'unreachable', error: 'Connection refused' })
    await sendMailings(withoutJudge())
    expect((await channelNow()).lastError).toBe('The answer was not understood')
    t.answerMailWith({ kind: 'accepted', response: '250 OK' })
    await until('2026-03-04T13:01:00Z')
    expect(t.mails).toHaveLength(2)
    expect((await channelNow()).lastError).toBeNull()
  })

  test('in sending retries the email, and the channel shows it', async () => {
    await sendMailings({ ...deps(), carriers: { ...t.app.deps.carriers, mail: fault } })
    expect(errors()).toEqual([['message could not be sent', 'Error: an internal error']])
    expect((await channelNow()).lastError).toBe('Internal error: the message could not be sent; see the server log')
    await until('2026-03-04T13:01:00Z')
    expect(t.mails).toHaveLength(1)
  })
})

describe('after the clock was set back', () => {
  beforeEach(() => begin('2026-03-04T12:00:00Z'))

  const setClock = async (instant: string) => {
    t.clock.set(instant)
    await recoverFromOutage(t.app.deps)
  }
  const failing = async () => {
    await addChannel({ reminder: 'hourly' })
    return addCheck({ name: 'Disk', timeout: 31_536_000 })
  }
  const unreachable = { kind: 'unreachable', error: 'Connection refused' } as const
  const entry = async () => only(await t.app.deps.store.mailings.list(t.project.id))

  test('a reminder that started in the future comes a period from now', async () => {
    const check = await failing()
    await setClock('2026-03-05T12:00:00Z')
    await pingAt('2026-03-05T12:00:00Z', check, '/fail')
    await setClock('2026-03-04T12:00:00Z')
    expect(await nextDate()).toBe('2026-03-04T13:00:00Z')
    await until('2026-03-04T14:00:00Z')
    expect(subjects()).toEqual(['Reminder: 1 check still down', 'Reminder: 1 check still down'])
  })

  test('a reminder that started before keeps its date', async () => {
    await pingAt('2026-03-04T12:00:00Z', await failing(), '/fail')
    await setClock('2026-03-04T12:30:00Z')
    await setClock('2026-03-04T12:20:00Z')
    expect(await nextDate()).toBe('2026-03-04T13:00:00Z')
  })

  test('a reminder that is due and waits for a retry is tried at once', async () => {
    await pingAt('2026-03-04T12:00:00Z', await failing(), '/fail')
    t.answerMailWith(unreachable)
    await until('2026-03-04T13:02:00Z')
    await setClock('2026-03-04T13:50:00Z')
    await sendMailings(deps())
    await setClock('2026-03-04T13:03:00Z')
    expect(await nextDate()).toBe('2026-03-04T13:03:00Z')
    expect((await entry()).attempts).toBeGreaterThan(1)
    t.answerMailWith({ kind: 'accepted', response: '250 OK' })
    t.mails.length = 0
    await until('2026-03-04T13:59:59Z')
    expect(subjects()).toEqual(['Reminder: 1 check still down'])
  })

  test('a report that was tried before its day comes on its day, complete', async () => {
    await addChannel({ report: 'daily' })
    await pingAt('2026-03-04T12:00:00Z', await addCheck({ timeout: 31_536_000 }))
    t.answerMailWith(unreachable)
    await setClock('2026-03-05T12:00:00Z')
    await sendMailings(deps())
    expect(await entry()).toMatchObject({ attempts: 1, error: 'Connection refused' })
    await setClock('2026-03-04T12:00:00Z')
    expect([(await entry()).attempts, await nextDate()]).toEqual([0, '2026-03-05T10:00:00Z'])
    t.answerMailWith({ kind: 'accepted', response: '250 OK' })
    t.mails.length = 0
    await until('2026-03-05T11:00:00Z')
    expect(subjects()).toEqual(['Daily Report: Tests (Overdue)'])
  })
})

describe('nothing is sent', () => {
  beforeEach(() => begin('2026-03-04T12:00:00Z', { REGISTRATION_OPEN: 'True' }))

  const wentDown = async () =>
    pingAt('2026-03-04T12:00:00Z', await addCheck({ name: 'Disk', timeout: 31_536_000 }), '/fail')

  test('to an address that is not confirmed; emails start once it is', async () => {
    const channel = await addChannel({ reminder: 'hourly', report: 'daily' })
    t.mails.length = 0
    await wentDown()
    await until('2026-03-05T12:00:00Z')
    expect(subjects()).toEqual([])
    await t.app.deps.store.channels.change(channel.id, (it) => ({ channel: { ...it, awaitsConfirmation: false } }))
    await until('2026-03-05T13:00:00Z')
    expect(subjects()).toEqual(['Reminder: 1 check still down'])
  })

  test('of reports or reminders once the receiver has unsubscribed from them, each by its own link', async () => {
    const channel = await addChannel({ reminder: 'hourly', report: 'daily' })
    await t.app.deps.store.channels.change(channel.id, (it) => ({ channel: { ...it, awaitsConfirmation: false } }))
    await wentDown()
    const unsubscribe = async () => {
      const url = new URL(t.mails.at(-1)?.unsubscribeUrl ?? '')
      t.mails.length = 0
      expect((await t.call('POST', url.pathname)).status).toBe(200)
    }
    await until('2026-03-04T13:00:00Z')
    await unsubscribe()
    await until('2026-03-05T12:00:00Z')
    expect(subjects()).toEqual(['Daily Report: Tests (Overdue)'])
    await unsubscribe()
    await until('2026-03-07T12:00:00Z')
    expect(subjects()).toEqual([])
  })

  test('once the receiver has unsubscribed from alerts, which ends all emails', async () => {
    const { id } = await addChannel({ reminder: 'hourly', report: 'daily' })
    await t.app.deps.store.channels.change(id, (it) => ({ channel: { ...it, awaitsConfirmation: false } }))
    const { links, secret } = t.app.deps.site
    await t.call('POST', new URL(unsubscribeUrl(links, id, 'alerts', secret)).pathname)
    t.mails.length = 0
    await wentDown()
    await until('2026-03-06T12:00:00Z')
    expect(subjects()).toEqual([])
  })

  test('for dates of a channel whose settings no longer ask for them, and those dates are dropped', async () => {
    const channel = await addChannel({ reminder: 'hourly', report: 'daily' })
    await t.app.deps.store.channels.change(channel.id, (it) => ({
      channel: { ...it, settings: 'ops@example.org', awaitsConfirmation: false },
    }))
    t.mails.length = 0
    await wentDown()
    await until('2026-03-06T12:00:00Z')
    expect([subjects(), await nextDate()]).toEqual([[], 'null'])
  })
})

test('without a mail server the channel shows that, and the next mailing is tried', async () => {
  await begin('2026-03-04T12:00:00Z', { EMAIL_HOST: '' })
  await addChannel({ report: 'daily' })
  await pingAt('2026-03-04T12:00:00Z', await addCheck({ timeout: 31_536_000 }))
  await until('2026-03-06T12:00:00Z')
  expect(t.mails).toEqual([])
  expect(await channelNow()).toMatchObject({
    lastError: 'No mail server is set up: enter it at Administration › Mail, or set EMAIL_HOST',
    disabledReason: null,
  })
  expect(await nextDate()).toBe('2026-03-07T10:00:00Z')
})
