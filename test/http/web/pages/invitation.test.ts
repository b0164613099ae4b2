/** Joining a project by an invitation: signed in, with a new account, and refusals. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Role } from '../../../../src/domain/account/role.ts'
import { invite } from '../../../../src/services/accounts/invitations.ts'
import { personOf } from '../../../../src/services/accounts/sign-in/sessions.ts'
import { enterProject } from '../../../../src/services/projects/members.ts'
import { addAccount, type Browser, memberWith, openBrowser, setRole, signedIn } from '../../../support/browser.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const PASSWORD = 'tide-lamp-orchard'

let t: TestApp
const begin = async (env: Readonly<Record<string, string>> = {}) => {
  t = await testApp({ env })
}
beforeEach(() => begin())
afterEach(() => t.close())

/** Creates an invitation by the operator. @returns its path */
const invitation = async (role: Role = 'member', address: string | null = null) => {
  const { url } = await invite(t.app.deps, t.actor, role, address)
  const found = url ?? /http\S+\/invitation\/[\w-]+/.exec(t.mails.at(-1)?.text ?? '')?.[0] ?? ''
  return new URL(found).pathname
}
const roles = async () => {
  const members = await t.app.deps.store.team.listMembers(t.project.id)
  return members.map(({ email, role }) => `${email.split('@')[0]} ${role}`)
}
const make = (path: string, email: string, browser: Browser = openBrowser(t), more = {}) =>
  browser.post(`${path}/account`, { email, password: PASSWORD, ...more })
const outsider = async (email = 'joe@example.org') => signedIn(t, await addAccount(t, { email }))

describe('who is signed in', () => {
  test('is asked first, joins by one button, and comes to the checks', async () => {
    const [browser, path] = [await outsider(), await invitation('manager')]
    const { text } = await browser.get(path)
    expect(text).toContain('Join <bdi>Tests</bdi> as a manager?')
    expect(text).toContain('<b><bdi>joe@example.org</bdi></b>')
    expect(text).not.toContain('type="password"')
    expect(await roles()).toEqual([])
    t.clock.advance({ seconds: 1 })
    expect((await browser.post(path)).location).toBe('/p/tests/checks?done=project-joined')
    expect(await roles()).toEqual(['joe manager'])
    const rows = await t.app.deps.store.audit.list(2)
    expect(rows.map(({ author, action, subject }) => `${author.name} ${action} ${subject.kind}`).toSorted()).toEqual([
      'joe@example.org create member',
      'joe@example.org delete invitation',
    ])
  })

  test('and in the project already keeps a better role, and the link works for somebody else', async () => {
    const [owner, path] = [await memberWith(t, 'owner', { email: 'ann@example.org' }), await invitation('read-only')]
    expect((await owner.post(path)).location).toBe('/p/tests/checks?done=project-known')
    expect((await (await outsider()).post(path)).location).toBe('/p/tests/checks?done=project-joined')
    expect(await roles()).toEqual(['ann owner', 'joe read-only'])
  })

  test('is told who invites', async () => {
    const ann = await addAccount(t, { email: 'ann@example.org' })
    await setRole(t, ann, 'manager')
    const actor = await enterProject(t.app.deps, personOf(ann, null), t.project.slug)
    if (!actor) throw new Error('the project is closed to its manager')
    const { url } = await invite(t.app.deps, actor, 'member', null)
    const path = new URL(url ?? '').pathname
    expect((await openBrowser(t).get(path)).text).toContain('<bdi>ann@example.org</bdi> invites you')
  })
})

describe('who has no account', () => {
  test('makes one and joins with it, in one change, and may sign in instead', async () => {
    const path = await invitation()
    const browser = openBrowser(t)
    const { text } = await browser.get(path)
    expect(text).toContain(`href="/sign-in?next=${encodeURIComponent(path)}"`)
    t.clock.advance({ seconds: 1 })
    const { location } = await make(path, ' Kim@Example.org', browser, { tz: 'Europe/Riga' })
    expect(location).toBe('/p/tests/checks?done=project-joined')
    expect((await browser.get(location ?? '')).text).toContain('New check')
    const account = await t.app.deps.store.accounts.find('kim@example.org')
    expect(account).toMatchObject({ tz: 'Europe/Riga', isEmailConfirmed: false, isAdministrator: false })
    const changes = (await t.app.deps.store.audit.list(10)).filter(({ author }) => author.name === 'kim@example.org')
    const written = changes.filter(({ subject }) => String(subject.kind) !== 'session')
    expect(written.map(({ action, subject }) => `${action} ${subject.kind}`).toSorted()).toEqual([
      'create account',
      'create member',
      'delete invitation',
    ])
    expect(new Set(written.map(({ author }) => author.changeId)).size).toBe(1)
  })

  test('gets a form again that is filled in, with what is wrong', async () => {
    const path = await invitation()
    const wrong: readonly (readonly [fields: Record<string, string>, field: string])[] = [
      [{ email: 'kim' }, 'email'],
      [{ password: 'short' }, 'password'],
      [{ password: 'kim@example.org' }, 'password'],
      [{ tz: 'Mars' }, 'tz'],
    ]
    for (const [fields, field] of wrong) {
      const { status, text } = await make(path, 'kim@example.org', openBrowser(t), fields)
      expect([field, status, text.includes(`id="${field}-error"`)]).toEqual([field, 422, true])
      expect(text).toContain(`value="${fields.email ?? 'kim@example.org'}"`)
      expect(text).not.toContain(`value="${PASSWORD}"`)
    }
    expect(await t.app.deps.store.accounts.list()).toEqual([])
    expect((await make(path, 'kim@example.org')).status).toBe(303)
  })

  test('learns that an address has an account only a few times', async () => {
    await addAccount(t, { email: 'joe@example.org' })
    const path = await invitation()
    const statuses: number[] = []
    for (let tries = 0; tries < 6; tries++) statuses.push((await make(path, 'joe@example.org')).status)
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
    expect(await roles()).toEqual([])
  })
})

describe('an invitation that was mailed', () => {
  beforeEach(async () => {
    await t.close()
    await begin({ EMAIL_HOST: 'mail.example.org' })
  })

  test('has its address filled in, and proves it', async () => {
    const path = await invitation('member', 'kim@example.org')
    expect((await openBrowser(t).get(path)).text).toContain('value="kim@example.org"')
    await make(path, 'kim@example.org')
    expect((await t.app.deps.store.accounts.find('kim@example.org'))?.isEmailConfirmed).toBe(true)
  })

  test('proves no other address', async () => {
    await make(await invitation('member', 'kim@example.org'), 'victim@example.org')
    expect((await t.app.deps.store.accounts.find('victim@example.org'))?.isEmailConfirmed).toBe(false)
    expect(await roles()).toEqual(['victim member'])
  })
})

describe('a link', () => {
  const statuses = async (path: string) => {
    const [stranger, person] = [openBrowser(t), await outsider(`${crypto.randomUUID()}@example.org`)]
    return [
      (await stranger.get(path)).status,
      (await make(path, 'kim@example.org', stranger)).status,
      (await person.get(path)).status,
      (await person.post(path)).status,
    ]
  }

  test('that was used, has expired, was revoked or was never made is refused', async () => {
    const used = await invitation()
    await (await outsider()).post(used)
    const revoked = await invitation()
    const { store } = t.app.deps
    const [open] = await store.invitations.list(t.project.id, t.clock.now())
    const manager = await memberWith(t, 'manager', { email: 'ann@example.org' })
    await manager.post('/p/tests/team/invitations/revoke', { invitation: open?.lookup ?? '' })
    for (const path of [used, revoked, '/invitation/short', `/invitation/${'x'.repeat(43)}`]) {
      expect([path, await statuses(path)]).toEqual([path, [404, 404, 404, 404]])
    }
    const late = await invitation()
    t.clock.advance({ hours: 7 * 24 })
    expect(await statuses(late)).toEqual([404, 404, 404, 404])
    expect(await roles()).toEqual(['ann manager', 'joe member'])
  })
})

test('where people sign in elsewhere, an invitation sends them there, and makes no account with a password', async () => {
  await t.close()
  await begin({
    LOCAL_SIGN_IN: 'False',
    OIDC_ISSUER: 'https://id.example.org',
    OIDC_CLIENT_ID: 'overdue',
    OIDC_CLIENT_SECRET: 's',
  })
  const path = await invitation()
  const { text } = await openBrowser(t).get(path)
  expect(text).toContain(`href="/sign-in?next=${encodeURIComponent(path)}"`)
  expect(text).not.toContain('type="password"')
  expect((await make(path, 'kim@example.org')).status).toBe(404)
})

test('where a proxy signs people in, whom it names joins by the button', async () => {
  await t.close()
  await begin({ REMOTE_USER_HEADER: 'X-User', TRUSTED_PROXIES: '127.0.0.1' })
  const path = await invitation()
  expect((await openBrowser(t).get(path)).status).toBe(403)
  expect((await make(path, 'kim@example.org')).status).toBe(404)
})
