/** The morning mail: the form on the page of reports, and the links in the mail. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type MorningLinkPurpose, morningUrl } from '../../../../../src/domain/mail/links.ts'
import { memberWith } from '../../../../support/browser.ts'
import { anAuthor } from '../../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const PATH = '/account/reports'

let t: TestApp
let ann: Awaited<ReturnType<typeof memberWith>>
const begin = async (env: Record<string, string>) => {
  t = await testApp({ env })
  ann = await memberWith(t, 'member', { email: 'ann@example.org', tz: 'Europe/Riga', isEmailConfirmed: true })
}
beforeEach(() => begin({ EMAIL_HOST: 'mail.example.org' }))
afterEach(() => t.close())

const accountOf = async () => {
  const account = await t.app.deps.store.accounts.find('ann@example.org')
  if (!account) throw new Error('Ann has no account')
  return account
}
const wanted = async () => (await accountOf()).morningMail
const save = (morning: string, hour = '8') => ann.submit(PATH, { morning, hour })

describe('the form', () => {
  test('turns the mail on, says when the next comes, and turns it off', async () => {
    const page = (await ann.get(PATH)).text
    expect(page).toContain('<option value="off" selected>Off</option>')
    expect(page).toContain('<option value="8" selected>08:00</option>')
    expect(page).not.toContain('<dt>Next</dt>')
    const answer = await save('trouble', '7')
    expect([answer.status, answer.location]).toEqual([303, `${PATH}?done=saved`])
    expect(await wanted()).toEqual({ wish: 'trouble', hour: 7 })
    const { text } = await ann.get(PATH)
    expect(text).toContain('<option value="trouble" selected>Only when something is wrong</option>')
    expect(text).toMatch(/<dt>Next<\/dt><dd><time[^>]*>Thu 5 Mar, 07:00<\/time>/)
    await save('off')
    expect(await wanted()).toBeNull()
  })

  test('is noted in the audit log', async () => {
    t.clock.advance({ minutes: 1 })
    await save('always', '9')
    expect(await t.app.deps.store.audit.list(1)).toMatchObject([
      {
        author: { kind: 'person', name: 'ann@example.org' },
        action: 'edit',
        before: { morning_mail: 'off', morning_hour: null },
        after: { morning_mail: 'always', morning_hour: 9 },
      },
    ])
  })

  test('refuses what it does not offer, and says what to choose', async () => {
    const hour = await ann.post(PATH, { action: 'morning', morning: 'always', hour: '25' })
    expect(hour.status).toBe(400)
    expect(hour.text).toContain('from 5 to 12')
    expect((await ann.post(PATH, { action: 'morning', morning: 'hourly', hour: '8' })).status).toBe(400)
    expect(await wanted()).toBeNull()
  })

  test('goes off with all others', async () => {
    await save('always')
    expect((await ann.get(PATH)).text).toContain('Turn all off')
    await ann.submit(PATH, { action: 'all-off' })
    expect(await wanted()).toBeNull()
    expect((await ann.get(PATH)).text).not.toContain('Turn all off')
  })

  test('says why nothing is sent', async () => {
    expect((await ann.get(PATH)).text).not.toContain('Nothing is sent')
    const { id } = await accountOf()
    await t.app.deps.store
      .by(anAuthor())
      .accounts.change(id, (account) => ({ ...account, isEmailConfirmed: false }), null)
    expect((await ann.get(PATH)).text).toContain(
      'Nothing is sent until you open a link that was mailed to your address.',
    )
    await t.close()
    await begin({})
    expect((await ann.get(PATH)).text).toContain('This server sends no email.')
  })

  test('says why the last one was not sent', async () => {
    await save('always')
    const [order] = await claimed()
    if (!order) throw new Error('no mail was due')
    const error = 'The mail server refused <the address>'
    await t.app.deps.store.morningMails.record(order, { state: 'ended', nextDueAt: t.clock.now(), error })
    expect((await ann.get(PATH)).text).toContain(
      '<dt>Last</dt><dd>could not be sent: <bdi>The mail server refused &lt;the address&gt;</bdi></dd>',
    )
  })

  const claimed = () => {
    t.clock.advance({ hours: 24 })
    return t.app.deps.store.morningMails.claim(t.clock.now(), t.clock.now().add({ seconds: 60 }), 1)
  }
})

describe('a link in the mail', () => {
  const pathTo = async (purpose: MorningLinkPurpose, over: { email?: string; secret?: string } = {}) => {
    const { links, secret } = t.app.deps.site
    const { id, email } = await accountOf()
    return new URL(morningUrl(links, id, over.email ?? email, purpose, over.secret ?? secret)).pathname
  }
  const ask = async (method: string, path: string) => {
    const answer = await t.call(method, path)
    return { status: answer.status, text: await answer.text() }
  }

  test('changes nothing by itself; its button does', async () => {
    await save('always', '9')
    for (const [purpose, after] of [
      ['trouble', { wish: 'trouble', hour: 9 }],
      ['off', null],
    ] as const) {
      const before = await wanted()
      const path = await pathTo(purpose)
      const { status, text } = await ask('GET', path)
      expect([status, text.includes('<form method="post">'), text.includes('ann@example.org')]).toEqual([
        200,
        true,
        true,
      ])
      expect(await wanted()).toEqual(before)
      expect((await ask('POST', path)).status).toBe(200)
      expect(await wanted()).toEqual(after)
    }
  })

  test('unsubscribes with one click of a mail program, and again without harm', async () => {
    await save('always')
    const path = await pathTo('off')
    const oneClick = {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    for (const _ of [1, 2]) expect((await t.call('POST', path, oneClick)).status).toBe(200)
    expect(await wanted()).toBeNull()
    expect(await t.app.deps.store.morningMails.nextAt()).toBeNull()
  })

  test('does not turn on a mail that was stopped', async () => {
    const path = await pathTo('trouble')
    for (const method of ['GET', 'POST']) expect((await ask(method, path)).status).toBe(404)
    expect(await wanted()).toBeNull()
  })

  test('works only as it was signed: for the account, its address and what it does', async () => {
    await save('always')
    const [off, trouble] = [await pathTo('off'), await pathTo('trouble')]
    const wrong = [
      await pathTo('off', { email: 'old@example.org' }),
      await pathTo('off', { secret: 'another secret' }),
      trouble.replace('/trouble/', '/off/'),
      off.replace(/morning-mail\/[^/]+/, `morning-mail/${crypto.randomUUID()}`),
      off.replace(/morning-mail\/[^/]+/, 'morning-mail/ann@example.org'),
    ]
    for (const path of wrong) expect((await ask('POST', path)).status).toBe(404)
    expect(await wanted()).toEqual({ wish: 'always', hour: 8 })
  })
})
