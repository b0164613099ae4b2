/**
 * Sent morning mails: their times and recipients, each sent once. The account is in Riga, two hours ahead of UTC; it is Wednesday at noon
 * in UTC.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../src/domain/account/account.ts'
import type { MorningWish } from '../../../src/domain/account/morning-setting.ts'
import { operatorIn, type Person } from '../../../src/domain/actor.ts'
import type { Mail } from '../../../src/domain/carrier/mail.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import { morningToken } from '../../../src/domain/mail/links.ts'
import { nightOf } from '../../../src/domain/night/window.ts'
import { sentenceText } from '../../../src/domain/words/sentence-text.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { setPreferences } from '../../../src/services/accounts/accounts.ts'
import { pauseCheck, upsertCheck } from '../../../src/services/checks/checks.ts'
import { rules } from '../../../src/services/common/rules.ts'
import { followMorningLink } from '../../../src/services/mail/morning/links.ts'
import { createMorningMails } from '../../../src/services/mail/morning/morning-mails.ts'
import { getMorningMail, setMorningMail } from '../../../src/services/mail/morning/setting.ts'
import { readNight } from '../../../src/services/overview/night.ts'
import { NightRows } from '../../../src/services/overview/night-rows.ts'
import { createProject } from '../../../src/services/projects/projects.ts'
import type { Store } from '../../../src/store/store.ts'
import { addAccount, setRole } from '../../support/browser.ts'
import { replaced } from '../../support/replaced-methods.ts'
import { aCheck, anAuthor, only, testRandom } from '../../support/store-builders.ts'
import { type TestApp, testApp } from '../../support/test-app.ts'

const ENV = {
  EMAIL_HOST: 'mail.example.org',
  SITE_ROOT: 'https://overdue.example',
  SECRET_KEY: 'a secret of at least thirty-two characters',
}
const RIGA = 'Europe/Riga'
const THURSDAY = '2026-03-05T06:00:00Z'
const FRIDAY = '2026-03-06T06:00:00Z'

let t: TestApp
let account: Account
const deps = () => ({ ...t.app.deps, random: testRandom })
const person = ({ id, email }: Account = account): Person => ({
  kind: 'person',
  accountId: id,
  email,
  isAdministrator: false,
  address: null,
})
const want = (wish: MorningWish, hour = 8, of = account) => setMorningMail(deps(), person(of), { wish, hour })

const begin = async (env: Record<string, string> = ENV) => {
  t = await testApp({ env })
  account = await addAccount(t, { email: 'ann@example.org', tz: RIGA, isEmailConfirmed: true })
  await setRole(t, account, 'read-only')
}
beforeEach(() => begin())
afterEach(() => t.close())

/** Creates a check due daily at 02:00 in UTC, which is 04:00 in Riga. */
async function nightly(name = 'Backup', project = t.project): Promise<Check> {
  const spec = { name, kind: 'cron', schedule: '0 2 * * *', tz: 'UTC', grace: 3_600 } as const
  const { check } = await upsertCheck(t.app.deps, operatorIn(project), spec, true)
  await t.call('POST', `/ping/${check.id}`)
  return check
}
const pingAt = async (instant: string, { id }: Check, action = '') => {
  t.clock.set(instant)
  expect((await t.call('POST', `/ping/${id}${action}`)).status).toBe(200)
}
/** Sends due mails, as the loop does. */
async function at(instant: string, send = createMorningMails(deps())): Promise<string | null> {
  t.clock.set(instant)
  await t.app.settle('overdue')
  for (;;) {
    const next = await send()
    if (next === null || Temporal.Instant.compare(next, t.clock.now()) > 0) return next && String(next)
  }
}
const subjects = () => t.mails.filter(({ to }) => to.startsWith('ann')).map(({ subject }) => subject)

describe('a morning mail', () => {
  test('comes at its hour, over all projects of the account, with the sentence of the page', async () => {
    const { project: books } = await createProject(t.app.deps, 'Books')
    await setRole(t, account, 'member', books)
    const { project: foreign } = await createProject(t.app.deps, 'Foreign')
    const [backup] = [await nightly('Backup'), await nightly('Import', books), await nightly('Secret', foreign)]
    await want('always')
    await pingAt('2026-03-05T02:05:00Z', backup)
    expect(await at('2026-03-05T05:59:59Z')).toBe(THURSDAY)
    expect(t.mails).toEqual([])
    expect(await at(THURSDAY)).toBe(FRIDAY)
    const mail = only(t.mails)
    const window = nightOf(Temporal.PlainDate.from('2026-03-04'), RIGA)
    const nights = new NightRows(t.app.deps)
    const page = await readNight({ ...t.app.deps, nights }, person(), window, RIGA, t.clock.now())
    const more = sentenceText(page.sentence.more, { now: t.clock.now(), tz: RIGA })
    expect(mail.subject).toBe(`${page.sentence.counts} ${more}`.trim())
    expect(mail.subject).toBe('1 of 2 ran; 1 missing.')
    expect(mail.text).toContain('\nImport: missing since 04:00\n')
    expect(mail.text).toContain('Sent at 08:00 to ann@example.org.\n')
    expect(mail.text).not.toContain('Secret')
    expect(mail.to).toBe('ann@example.org')
    expect(mail.unsubscribeUrl).toMatch(
      new RegExp(`^https://overdue.example/morning-mail/${account.id}/off/[\\w-]{32}/$`),
    )
    expect(mail.text).toContain(`https://overdue.example/morning-mail/${account.id}/trouble/`)
  })

  test('is sent once, by whichever instance claims it', async () => {
    await nightly()
    await want('always')
    t.clock.set(THURSDAY)
    const [one, other] = [createMorningMails(deps()), createMorningMails(deps())]
    await Promise.all([one(), other()])
    expect(t.mails).toHaveLength(1)
    await at('2026-03-05T06:10:00Z')
    expect(t.mails).toHaveLength(1)
  })

  test('has another id each day, and the same for each attempt', async () => {
    await nightly()
    await want('always')
    await at(THURSDAY)
    await at(FRIDAY)
    const [first, second] = t.mails.map(({ id }) => id)
    expect(first).not.toBe(second)
  })

  test('is not written for an account without any check', async () => {
    await want('always')
    expect(await at(THURSDAY)).toBe(FRIDAY)
    expect(t.mails).toEqual([])
  })

  test('names who is paused for long, and who was never pinged', async () => {
    const paused = await nightly('Staging')
    await upsertCheck(t.app.deps, operatorIn(t.project), { name: 'Gift cards', timeout: 86_400 }, true)
    await t.json('POST', `/api/v3/checks/${paused.id}/pause`, { key: t.keys.apiKey, json: {} })
    await want('always')
    await at('2026-03-19T06:00:00Z')
    expect(only(t.mails).text).toContain(
      '2 were not due, 1 of them because it is paused: Staging for 14 days. Gift cards was never pinged.',
    )
  })

  test('counts all that are paused for long', async () => {
    for (let n = 0; n < 203; n++) {
      const { check } = await upsertCheck(t.app.deps, operatorIn(t.project), { name: `Job ${n}`, timeout: 60 }, true)
      await pauseCheck(t.app.deps, operatorIn(t.project), check)
    }
    await want('always')
    await at('2026-03-19T06:00:00Z')
    expect(only(t.mails).text).toMatch(
      /^203 were not due because they are paused: (Job \d+ for 14 days, ){4}.* and 198 more\.$/m,
    )
  })

  test('names no check that is paused since an unknown time, such as one that was imported', async () => {
    const createdAt = Temporal.Instant.from('2025-03-01T00:00:00Z')
    const imported = aCheck(t.project, { name: 'CRM', status: 'paused', createdAt })
    await t.app.deps.store.by(anAuthor()).checks.upsert(imported, null, (check) => ({ check }), rules(t.app.deps))
    await want('always')
    await at(THURSDAY)
    expect(only(t.mails).text).toContain('1 was not due because it is paused.\n')
  })

  test('is sent once when its hour is changed while it is sent', async () => {
    await nightly()
    await want('always')
    const carriers = {
      ...t.app.deps.carriers,
      mail: async (mail: Mail) => {
        await want('always', 10)
        return t.app.deps.carriers.mail(mail)
      },
    }
    expect(await at(THURSDAY, createMorningMails({ ...deps(), carriers }))).toBe('2026-03-06T08:00:00Z')
    expect(t.mails).toHaveLength(1)
  })

  test('is not sent when another instance claimed it while it was written', async () => {
    await nightly()
    await want('always')
    t.clock.set(THURSDAY)
    const slow = meanwhile('findOutage', async () => {
      t.clock.advance({ seconds: 301 })
      await createMorningMails(deps())()
    })
    await createMorningMails({ ...deps(), store: slow })()
    expect(t.mails).toHaveLength(1)
    expect(await at('2026-03-05T06:30:00Z')).toBe(FRIDAY)
  })

  test('keeps its claim when it is written for longer than that lasts', async () => {
    await nightly()
    await want('always')
    t.clock.set(THURSDAY)
    const slow = meanwhile('findOutage', async () => {
      t.clock.advance({ seconds: 301 })
    })
    const carriers = {
      ...t.app.deps.carriers,
      mail: async (mail: Mail) => {
        await createMorningMails(deps())()
        return t.app.deps.carriers.mail(mail)
      },
    }
    await createMorningMails({ ...deps(), carriers, store: slow })()
    expect(t.mails).toHaveLength(1)
  })
})

/** A store whose answer waits for a given action. */
function meanwhile(method: 'findOutage', happens: () => Promise<void>): Store {
  const { store } = t.app.deps
  const server = {
    async [method]() {
      await happens()
      return store.server[method]()
    },
  }
  return replaced(store, { server })
}

describe('only when something is wrong', () => {
  test('a mail comes after a night with trouble, and not after another', async () => {
    const check = await nightly()
    await want('trouble')
    await pingAt('2026-03-05T02:00:00Z', check)
    expect(await at(THURSDAY)).toBe(FRIDAY)
    expect(subjects()).toEqual([])
    await pingAt('2026-03-06T02:00:00Z', check, '/fail')
    await at(FRIDAY)
    expect(subjects()).toEqual(['0 of 1 ran; 1 failed.'])
    expect(only(t.mails).text).not.toContain('Only when something is wrong')
  })
})

describe('no mail goes', () => {
  const isSilent = async () => {
    await nightly()
    await want('always')
    expect(await at(THURSDAY)).toBe(FRIDAY)
    expect(t.mails).toEqual([])
  }

  test('to an address that is not confirmed', async () => {
    await change({ isEmailConfirmed: false })
    await isSilent()
  })

  test('to somebody who is suspended', async () => {
    await change({ isSuspended: true })
    await isSilent()
  })

  const change = (over: Partial<Account>) =>
    t.app.deps.store.by(anAuthor()).accounts.change(account.id, (stored) => ({ ...stored, ...over }), null)
})

describe('after an outage', () => {
  beforeEach(async () => {
    await nightly()
    await want('always')
  })

  test('a mail is sent late, once, for the latest night', async () => {
    expect(await at('2026-03-07T09:00:00Z')).toBe('2026-03-08T06:00:00Z')
    expect(t.mails).toHaveLength(1)
    expect(only(t.mails).text).toContain('Friday 6 to Saturday 7 March')
    expect(only(t.mails).text).toContain('Sent at 11:00')
  })

  test('a mail that would be more than six hours late is left out', async () => {
    expect(await at('2026-03-05T12:00:01Z')).toBe(FRIDAY)
    expect(t.mails).toEqual([])
  })
})

test('a mail comes at its hour also after the clocks changed', async () => {
  await nightly()
  await want('always')
  // Riga changes its clocks on 29 March.
  expect(await at('2026-03-28T06:00:00Z')).toBe('2026-03-29T05:00:00Z')
})

test('another zone, and another hour, move the next mail', async () => {
  await nightly()
  await want('always')
  await want('always', 10)
  expect(String((await getMorningMail(deps(), person()))?.dueAt)).toBe('2026-03-05T08:00:00Z')
  await setPreferences(deps(), person(), { tz: 'America/New_York', theme: 'system', hasShortcuts: true })
  expect(await at('2026-03-05T14:59:00Z')).toBe('2026-03-05T15:00:00Z')
  expect(await at('2026-03-05T15:00:00Z')).toBe('2026-03-06T15:00:00Z')
  expect(t.mails).toHaveLength(1)
})

describe('a mail that the mail server does not take', () => {
  const refusing = (status: number) => ({
    ...deps(),
    carriers: {
      ...t.app.deps.carriers,
      mail: async () => ({ kind: 'refused', stage: 'message', status, response: `${status} no` }) as const,
    },
  })
  beforeEach(async () => {
    await nightly()
    await want('always')
  })

  test('is tried again while it is not too late, and sent once it takes it', async () => {
    t.clock.set(THURSDAY)
    const next = await createMorningMails(refusing(451))()
    expect(String(next)).toBe('2026-03-05T06:00:05Z')
    expect(await getMorningMail(deps(), person())).toMatchObject({ attempts: 1, error: expect.stringContaining('451') })
    expect(await at('2026-03-05T06:00:05Z')).toBe(FRIDAY)
    expect(t.mails).toHaveLength(1)
    expect(await getMorningMail(deps(), person())).toMatchObject({ attempts: 0, error: null })
  })

  test('is given up when it refuses for good, and says so until the next', async () => {
    expect(await at(THURSDAY, createMorningMails(refusing(554)))).toBe(FRIDAY)
    expect((await getMorningMail(deps(), person()))?.error).toContain('554')
    expect(t.log.map(({ message }) => message)).toContain('morning mail failed')
  })
})

test('a mail that was ended stays so when a link in it is followed at the same time', async () => {
  await want('always')
  const { store, site } = t.app.deps
  const accounts = {
    async find(id: string) {
      const found = await store.accounts.find(id)
      await setMorningMail(deps(), person(), null)
      return found
    },
  }
  const token = morningToken(account.id, account.email, 'trouble', site.secret)
  const link = { purpose: 'trouble', accountId: account.id, token, address: null } as const
  await followMorningLink({ ...deps(), store: replaced(store, { accounts }) }, link)
  expect(await getMorningMail(deps(), person())).toBeNull()
})

test('without a mail server no night is read, the reason is kept, and nothing is tried again', async () => {
  await t.close()
  await begin({})
  await nightly()
  await want('always')
  let reads = 0
  const store = meanwhile('findOutage', async () => {
    reads++
  })
  expect(await at(THURSDAY, createMorningMails({ ...deps(), store }))).toBe(FRIDAY)
  expect(reads).toBe(0)
  expect((await getMorningMail(deps(), person()))?.error).toContain('EMAIL_HOST')
})
