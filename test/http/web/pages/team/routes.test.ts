/** The team of a project: content and changes by role, invitations, and offers of ownership. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../../../src/domain/account/account.ts'
import type { Role } from '../../../../../src/domain/account/role.ts'
import { administrator, type Browser, memberWith } from '../../../../support/browser.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const PATH = '/p/tests/team'

type Person = Browser & { readonly account: Account }

let t: TestApp
let owner: Person
const begin = async (env: Readonly<Record<string, string>> = {}) => {
  t = await testApp({ env })
  owner = await memberWith(t, 'owner', { email: 'ann@example.org' })
}
beforeEach(() => begin())
afterEach(() => t.close())

const joe = (role: Role) => memberWith(t, role, { email: 'joe@example.org' })
const of = ({ account }: Person) => `${PATH}/members/${account.id}`
const roles = async () => {
  const members = await t.app.deps.store.team.listMembers(t.project.id)
  return members.map(({ email, role }) => `${email.split('@')[0]} ${role}`)
}
const newest = async () => {
  const [row] = await t.app.deps.store.audit.list(1)
  return row && `${row.author.name} ${row.action} ${row.subject.kind} ${row.subject.name}`
}
/** Advances the clock, because the audit log is sorted by time. */
const later = () => t.clock.advance({ seconds: 1 })

test('Making an owner takes a new proof after half an hour, by the role and by an invitation; other roles do not', async () => {
  const other = await joe('member')
  t.clock.advance({ minutes: 31 })
  const [role, invited] = [of(other), `${PATH}/invitations`]
  for (const path of [role, invited]) {
    expect((await owner.post(path, { role: 'owner' })).location).toBe(`/confirm?${new URLSearchParams({ next: path })}`)
  }
  expect(await roles()).toEqual(['ann owner', 'joe member'])
  expect(await t.app.deps.store.invitations.list(t.project.id, t.clock.now())).toEqual([])
  expect((await owner.get(invited)).location).toBe(PATH)
  expect((await owner.post(role, { role: 'manager' })).location).toStartWith(PATH)
  expect((await owner.post(invited, { role: 'manager' })).location).toStartWith(`${PATH}/invitations/created`)
  expect(await roles()).toEqual(['ann owner', 'joe manager'])
})

describe('the page', () => {
  test('shows members, their roles and when they were last seen to everybody in the project', async () => {
    const reader = await joe('read-only')
    t.clock.advance({ hours: 2 })
    await owner.get(PATH)
    const { status, text } = await reader.get(PATH)
    expect(status).toBe(200)
    expect(text).toMatch(/<bdi>ann@example\.org<\/bdi><\/th><td>Owner<\/td><td data-name="Last seen"><time[^>]*>now</)
    expect(text).toMatch(/<bdi>joe@example\.org<\/bdi> <small class="muted">you<\/small><\/th><td>Read-only<\/td>/)
    for (const word of ['Change…', 'Invite people', 'Ownership']) expect(text).not.toContain(word)
    expect(text).toContain('Leave project…')
  })

  test('offers each role what it may do', async () => {
    const [manager, admin] = [await joe('manager'), await administrator(t)]
    const words = async (browser: Browser) => {
      const { text } = await browser.get(PATH)
      return ['ann@', 'joe@'].map((name) => text.includes(`Change… ${name}`)).concat(text.includes('Offer project…'))
    }
    expect(await words(owner)).toEqual([true, true, true])
    expect(await words(manager)).toEqual([false, true, false])
    expect(await words(admin)).toEqual([true, true, false])
    expect((await owner.get(PATH)).text).toContain('<option value="owner">')
    expect((await manager.get(PATH)).text).toContain('<b>Member</b> also changes checks and integrations')
    expect((await manager.get(PATH)).text).not.toContain('<b>Owner</b>')
    expect((await manager.get(PATH)).text).not.toContain('<option value="owner">')
    expect((await manager.get(of(owner))).status).toBe(403)
    expect((await admin.get(PATH)).text).not.toContain('Leave project…')
  })
})

describe('a role', () => {
  test('is changed, and counts at the next request', async () => {
    const member = await joe('member')
    later()
    const { location } = await owner.submit(of(member), { role: 'read-only' })
    expect(location).toBe(`${PATH}?done=member-changed`)
    expect(await newest()).toBe('ann@example.org edit member joe@example.org')
    expect((await member.get('/p/tests/settings')).status).toBe(403)
  })

  test('is given only to who is in the project, so that nobody learns who has an account', async () => {
    const outsider = await administrator(t, { email: 'kim@example.org', isAdministrator: false })
    const [known, unknown] = await Promise.all(
      [of(outsider), `${PATH}/members/${crypto.randomUUID()}`].map((path) => owner.post(path, { role: 'member' })),
    )
    expect([known?.status, known?.text.replace(/id [\w-]+/, '')]).toEqual([404, unknown?.text.replace(/id [\w-]+/, '')])
    expect(await roles()).toEqual(['ann owner'])
  })
})

test.each([
  ['read-only', 'its checks and logs.'],
  ['member', 'can no longer change them.'],
  ['manager', 'or its team.'],
  ['owner', 'you no longer own the project.'],
] as const)('who is %s may leave, and reads first what is lost and what stays', async (role, lost) => {
  const browser = await joe(role)
  expect((await browser.get(PATH)).text).toContain('Leave project…')
  const { text } = await browser.get(`${PATH}/leave`)
  expect(text).toContain(lost)
  expect(text).toContain('API keys that you know still work')
  expect((await browser.submit(`${PATH}/leave`, {})).location).toBe('/projects?done=project-left')
})

describe('the only owner', () => {
  test('keeps the role, stays and is not removed, also by an administrator', async () => {
    const admin = await administrator(t)
    const tries: readonly (readonly [Browser, string])[] = [
      [owner, of(owner)],
      [owner, `${of(owner)}/remove`],
      [owner, `${PATH}/leave`],
      [admin, of(owner)],
      [admin, `${of(owner)}/remove`],
    ]
    for (const [browser, path] of tries) {
      const { status, text } = await browser.post(path, { role: 'member' })
      expect([path, status]).toEqual([path, 422])
      expect(text).toMatch(/role="alert">.*only owner/)
    }
    expect(await roles()).toEqual(['ann owner'])
  })

  test('is told why nobody offers to leave', async () => {
    await joe('member')
    const { text } = await owner.get(PATH)
    expect(text).not.toContain('Leave project…')
    expect(text).toContain("You are its only owner, so you can't leave it.")
  })

  test('leaves once there is another one', async () => {
    await joe('owner')
    later()
    expect((await owner.get(`${PATH}/leave`)).text).toContain('Leave <bdi>Tests</bdi>?')
    expect((await owner.post(`${PATH}/leave`)).location).toBe('/projects?done=project-left')
    expect(await newest()).toBe('ann@example.org delete member ann@example.org')
    expect((await owner.get(PATH)).status).toBe(404)
  })
})

test('a member is removed, and loses the project at once', async () => {
  const member = await joe('member')
  later()
  expect((await owner.submit(of(member), {}, `${of(member)}/remove`)).location).toBe(`${PATH}?done=member-removed`)
  expect(await newest()).toBe('ann@example.org delete member joe@example.org')
  expect((await member.get('/p/tests/checks')).status).toBe(404)
})

test('a manager who removes themselves is led to the projects that are left', async () => {
  const manager = await joe('manager')
  expect((await manager.post(`${of(manager)}/remove`)).location).toBe('/projects?done=project-left')
})

describe('an invitation', () => {
  const invite = (browser: Browser, role: Role, more = {}) => browser.post(`${PATH}/invitations`, { role, ...more })

  test('is a link that its page shows once', async () => {
    later()
    const answer = await owner.submit(PATH, { role: 'member' }, `${PATH}/invitations`)
    expect(answer.location).toBe(`${PATH}/invitations/created`)
    const [cookie = '', ...rest] = (answer.headers.get('set-cookie') ?? '').split(';')
    expect(rest.join(';')).toContain('Path=/p/tests/team/invitations/created')
    const { text, headers } = await owner.get(answer.location ?? '', {
      cookie: `overdue_session=${owner.token()}; ${cookie}`,
    })
    const [url = ''] = /http:\/\/localhost:8000\/invitation\/[\w-]{43}/.exec(text) ?? []
    expect(url).toEndWith(cookie.slice(cookie.indexOf('=') + 1))
    expect(headers.get('set-cookie')).toContain(
      'overdue_invitation=; Path=/p/tests/team/invitations/created; Max-Age=0',
    )
    expect((await owner.get(answer.location ?? '')).text).toContain('The link has been shown already')
    expect(await newest()).toBe('ann@example.org create invitation a link')
    const page = await owner.get(PATH)
    expect(page.text).toContain('Open invitations')
    expect(page.text).not.toContain(url)
  })

  test('is revoked, and its link ends', async () => {
    await invite(owner, 'member')
    later()
    const { location } = await owner.submit(PATH, {}, `${PATH}/invitations/revoke`)
    expect(location).toBe(`${PATH}?done=invitation-revoked`)
    expect(await newest()).toBe('ann@example.org delete invitation a link')
    expect((await owner.get(PATH)).text).not.toContain('Open invitations')
  })

  test('has no field for an address where no email is set up, and an address is refused there', async () => {
    expect((await owner.get(PATH)).text).not.toContain('name="email"')
    expect((await invite(owner, 'member', { email: 'bob@example.org' })).status).toBe(503)
  })
})

describe('an invitation by email', () => {
  beforeEach(async () => {
    await t.close()
    await begin({ EMAIL_HOST: 'mail.example.org' })
  })
  const invite = (email: string) => owner.submit(PATH, { role: 'member', email }, `${PATH}/invitations`)

  test('is mailed, and nobody else sees its link', async () => {
    const { location, headers } = await invite(' Bob@Example.org ')
    expect([location, headers.get('set-cookie')]).toEqual([`${PATH}?done=invitation-mailed`, null])
    expect(t.mails.map(({ to }) => to)).toEqual(['bob@example.org'])
    expect(t.mails[0]?.text).toMatch(/http:\/\/localhost:8000\/invitation\/[\w-]{43}/)
    expect((await owner.get(PATH)).text).toContain('<bdi>bob@example.org</bdi>')
  })

  test('that the mail server does not take is not made, and the form says why', async () => {
    t.answerMailWith({ kind: 'refused', stage: 'recipient', status: 550, response: '550 no <such> user' })
    const { text } = await invite('bob@example.org')
    expect(text).toContain('The email was not sent (550 no &lt;such&gt; user); leave the address empty')
    expect(text).toContain('value="bob@example.org"')
    expect(await t.app.deps.store.invitations.list(t.project.id, t.clock.now())).toEqual([])
  })

  test('to what is no address is refused at the field, escaped', async () => {
    const { status, text } = await invite('"><img src=x>')
    expect([status, text.includes('id="email-error"'), text.includes('<img')]).toEqual([422, true, false])
    expect(t.mails).toEqual([])
  })
})

describe('an offer of ownership', () => {
  const offer = (to: Person) => owner.post(`${PATH}/ownership`, { to: to.account.id })

  test('is mailed where email is set up, and stands also when the email can not be sent or would be one too many', async () => {
    await t.close()
    await begin({ EMAIL_HOST: 'mail.example.org' })
    const member = await joe('member')
    for (let tries = 0; tries < 12; tries += 1) {
      expect((await offer(member)).location).toBe(`${PATH}?done=ownership-offered`)
    }
    await t.app.deps.background.drain()
    expect(t.mails[0]).toMatchObject({ to: 'joe@example.org', subject: 'You were offered a project on Overdue' })
    expect(t.mails[0]?.text).toContain('/p/tests/team')
    expect(t.mails.length).toBeLessThan(12)
    expect((await member.get(PATH)).text).toContain('Accept ownership')
  })

  test('is accepted by the one whom it is made to, and the owner becomes a member', async () => {
    const member = await joe('member')
    expect((await owner.get(`${PATH}/ownership`)).text).toContain(
      `<option value="${member.account.id}">joe@example.org`,
    )
    later()
    expect((await owner.submit(`${PATH}/ownership`, { to: member.account.id })).location).toBe(
      `${PATH}?done=ownership-offered`,
    )
    expect(await newest()).toBe('ann@example.org create ownership-offer joe@example.org')
    for (const path of ['/', '/projects']) {
      expect((await member.get(path)).text).toContain(
        '<bdi>ann@example.org</bdi> offers you the project <bdi>Tests</bdi>',
      )
      expect((await owner.get(path)).text).not.toContain('offers you')
    }
    expect((await member.get(PATH)).text).toContain('Accept ownership')
    expect((await owner.get(PATH)).text).toContain('Withdraw offer')
    expect((await member.submit(PATH, {}, `${PATH}/ownership/accept`)).location).toBe(`${PATH}?done=ownership-accepted`)
    expect(await roles()).toEqual(['ann member', 'joe owner'])
    expect((await member.get('/')).text).not.toContain('offers you')
  })

  test('is declined or withdrawn, and seen, accepted and ended by nobody else', async () => {
    const [member, other] = [await joe('member'), await memberWith(t, 'manager', { email: 'kim@example.org' })]
    await offer(member)
    expect((await other.get(PATH)).text).not.toContain('offer')
    expect((await other.post(`${PATH}/ownership/accept`)).status).toBe(404)
    expect((await owner.post(`${PATH}/ownership/accept`)).status).toBe(404)
    expect((await other.post(`${PATH}/ownership/end`)).status).toBe(403)
    expect((await member.submit(PATH, {}, `${PATH}/ownership/end`)).location).toBe(`${PATH}?done=ownership-declined`)
    expect((await member.post(`${PATH}/ownership/accept`)).status).toBe(404)
    await offer(member)
    expect((await owner.submit(PATH, {}, `${PATH}/ownership/end`)).location).toBe(`${PATH}?done=ownership-withdrawn`)
    expect((await member.post(`${PATH}/ownership/accept`)).status).toBe(404)
    expect(await roles()).toEqual(['ann owner', 'joe member', 'kim manager'])
  })

  test('asks the owner to prove again who they are', async () => {
    t.clock.advance({ minutes: 31 })
    const { location } = await owner.get(`${PATH}/ownership`)
    expect(location).toBe(`/confirm?${new URLSearchParams({ next: `${PATH}/ownership` })}`)
    expect((await offer(await joe('member'))).location).toStartWith('/confirm')
    expect(await t.app.deps.store.offers.find(t.project.id, t.clock.now())).toBeNull()
  })

  test('is made to somebody else in the project, by an owner of it', async () => {
    const admin = await administrator(t)
    const member = await joe('member')
    for (const to of [owner, admin]) {
      const { status, text } = await offer(to)
      expect([status, text.includes('Choose a member of the project who is not suspended.')]).toEqual([422, true])
    }
    expect((await admin.post(`${PATH}/ownership`, { to: member.account.id })).status).toBe(403)
  })
})
