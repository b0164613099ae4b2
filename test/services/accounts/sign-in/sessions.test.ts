import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../../src/domain/account/account.ts'
import {
  endOtherSessions,
  endSession,
  type FreshSession,
  findSignedIn,
  listSessions,
  startSession,
  useSession,
} from '../../../../src/services/accounts/sign-in/sessions.ts'
import { createRetention } from '../../../../src/services/retention.ts'
import { anAuthor } from '../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'
import { accountOf, BROWSER, personAt } from '../people.ts'

let t: TestApp
let ann: Account
beforeEach(async () => {
  t = await testApp()
  ann = await accountOf(t, { password: null })
})
afterEach(() => t.close())

const deps = () => t.app.deps
const start = (account = ann): Promise<FreshSession> => startSession(deps(), account, BROWSER, { method: 'link' })
const find = (token: string, address: string | null = '192.0.2.7') => useSession(deps(), token, address)

describe('a session', () => {
  test('is found by its token until 14 days without a request have passed', async () => {
    const { token } = await start()
    t.clock.advance({ seconds: 14 * 86_400 - 1 })
    expect((await find(token))?.account.id).toBe(ann.id)
    t.clock.advance({ hours: 14 * 24 })
    expect(await find(token)).toBeNull()
  })

  test('lasts 90 days at most, however often it is used', async () => {
    const { token } = await start()
    for (let day = 1; day < 90; day += 1) {
      t.clock.advance({ hours: 24 })
      expect(await find(token)).not.toBeNull()
    }
    t.clock.advance({ hours: 24 })
    expect(await find(token)).toBeNull()
  })

  test('is written at most every five minutes, with the address it was seen from', async () => {
    const { token, session } = await start()
    const stored = async () => (await deps().store.sessions.find(session.lookup))?.session
    t.clock.advance({ seconds: 299 })
    await find(token, '198.51.100.1')
    expect(await stored()).toEqual(session)
    const seen = t.clock.advance({ seconds: 1 })
    await find(token, '198.51.100.1')
    expect(await stored()).toEqual({ ...session, lastSeenAt: seen, address: '198.51.100.1' })
  })

  test('that is only looked up is not used by that', async () => {
    const { token, session } = await start()
    t.clock.advance({ hours: 13 * 24 })
    expect((await findSignedIn(deps(), token))?.session).toEqual(session)
    t.clock.advance({ hours: 24 })
    expect(await findSignedIn(deps(), token)).toBeNull()
  })

  test('shows the account as it is now', async () => {
    const { token } = await start()
    await deps()
      .store.by(anAuthor())
      .accounts.change(ann.id, (old) => ({ ...old, isAdministrator: true }), null)
    expect((await find(token))?.account.isAdministrator).toBe(true)
    await deps().store.by(anAuthor()).accounts.delete(ann.id)
    expect(await find(token)).toBeNull()
  })

  test.each(['', 'A'.repeat(43), 'A'.repeat(42), `${'A'.repeat(43)};`, '\u0000'])(
    'is not found by %j',
    async (token) => {
      await start()
      expect(await find(token)).toBeNull()
    },
  )

  test('is not found by what is stored of it', async () => {
    const { session } = await start()
    expect(await find(session.lookup)).toBeNull()
  })

  test('keeps of the name of the browser what can be stored', async () => {
    const { session } = await startSession(
      deps(),
      ann,
      { address: null, userAgent: `a\u0000\ud800${'b'.repeat(999)}` },
      { method: 'link' },
    )
    expect((await deps().store.sessions.find(session.lookup))?.session).toEqual(session)
    expect(session.userAgent.length).toBeLessThan(300)
    expect(session.userAgent).not.toContain('\u0000')
  })
})

describe('the sessions of a person', () => {
  test('are listed without those that have expired, last seen first', async () => {
    const [old, used] = [await start(), await start()]
    t.clock.advance({ hours: 13 * 24 })
    await find(used.token)
    t.clock.advance({ hours: 24 })
    const fresh = await start()
    const listed = (await listSessions(deps(), personAt(ann))).map(({ lookup }) => lookup)
    expect(listed).toEqual([fresh.session.lookup, used.session.lookup])
    await createRetention(deps())()
    t.clock.advance({ seconds: 1 })
    await createRetention(deps())()
    expect(await deps().store.sessions.find(old.session.lookup)).toBeNull()
    expect(await deps().store.sessions.find(used.session.lookup)).not.toBeNull()
  })

  test('are ended by that person, one or all others, and by nobody else', async () => {
    const bob = await accountOf(t, { email: 'bob@example.org', password: null })
    const [here, there, third, ofBob] = [await start(), await start(), await start(), await start(bob)]
    expect(await endSession(deps(), personAt(bob), here.session.lookup)).toBe(false)
    expect(await endSession(deps(), personAt(ann), there.session.lookup)).toBe(true)
    expect(await find(there.token)).toBeNull()
    expect(await endOtherSessions(deps(), personAt(ann), here.session.lookup)).toBe(1)
    const found = await Promise.all([here, third, ofBob].map(({ token }) => find(token)))
    expect(found.map((session) => session !== null)).toEqual([true, false, true])
  })
})
