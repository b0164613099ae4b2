/** Closing one's own account: deleted data, and people who can't close theirs. */

import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Account } from '../../../../../src/domain/account/account.ts'
import { personIn } from '../../../../../src/domain/actor.ts'
import { closeAccount } from '../../../../../src/services/accounts/closing.ts'
import { acceptInvitation, invite } from '../../../../../src/services/accounts/invitations.ts'
import { personOf } from '../../../../../src/services/accounts/sign-in/sessions.ts'
import { createOwnProject } from '../../../../../src/services/projects/projects.ts'
import {
  addAccount,
  administrator,
  type Browser,
  memberWith,
  openBrowser,
  setRole,
} from '../../../../support/browser.ts'
import { replaced } from '../../../../support/replaced-methods.ts'
import { refusalOf } from '../../../../support/store-builders.ts'
import { type TestApp, testApp } from '../../../../support/test-app.ts'

const PATH = '/account/close'

let t: TestApp
let owner: Browser & { readonly account: Account }
beforeEach(async () => {
  t = await testApp()
  owner = await memberWith(t, 'owner', { email: 'ann@example.org' })
})
afterEach(() => t.close())

const close = (who: typeof owner, confirm = who.account.email) => who.post(PATH, { confirm })
const exists = async ({ account }: typeof owner) => (await t.app.deps.store.accounts.find(account.id)) !== null

test('needs the email, and then ends everything of the account', async () => {
  const { text } = await owner.get(PATH)
  expect(text).toContain('Type its email to confirm')
  expect((await close(owner, 'bob@example.org')).status).toBe(422)
  expect(await exists(owner)).toBe(true)
  const done = await owner.submit(PATH, { confirm: 'ann@example.org' })
  expect([done.status, done.location, owner.token()]).toEqual([303, '/sign-in?done=account-closed', null])
  expect(await exists(owner)).toBe(false)
  const rows = (await t.app.deps.store.audit.list(100)).map(({ action, subject }) => `${action} ${subject.kind}`)
  expect(rows).toContain('delete account')
})

test('takes the projects along that nobody else is in, and names them', async () => {
  const project = await createOwnProject(t.app.deps, personOf(owner.account, null), '<b>Mine</b>')
  const other = await memberWith(t, 'owner')
  const { text } = await owner.get(PATH)
  expect(text).toContain('<b><bdi>&lt;b&gt;Mine&lt;/b&gt;</bdi></b>')
  expect(text).not.toContain(`<b><bdi>${t.project.name}</bdi></b>`)
  await close(owner)
  expect(await t.app.deps.store.projects.find(project.id)).toBeNull()
  expect(await t.app.deps.store.projects.find(t.project.id)).not.toBeNull()
  expect((await other.get('/account')).status).toBe(200)
})

test('leaves a project as it is that somebody has joined meanwhile', async () => {
  const person = personOf(owner.account, null)
  const project = await createOwnProject(t.app.deps, person, 'Mine')
  const actor = personIn(project, person, 'owner')
  if (!actor) throw new Error('no owner')
  const joiner = await addAccount(t)
  const { url } = await invite(t.app.deps, actor, 'member', null)
  const store = replaced(t.app.deps.store, {
    accounts: {
      async readClosing(id: string) {
        const closing = await t.app.deps.store.accounts.readClosing(id)
        await acceptInvitation(t.app.deps, url?.split('/').at(-1) ?? '', personOf(joiner, null))
        return closing
      },
    },
  })
  const refused = await refusalOf(closeAccount({ ...t.app.deps, store }, person))
  expect([refused.code, refused.message]).toEqual(['account-needed', expect.stringContaining('"Mine"')])
  expect(await t.app.deps.store.projects.find(project.id)).not.toBeNull()
  expect(await exists(owner)).toBe(true)
})

test('ends the invitations to what goes with it', async () => {
  const person = personOf(owner.account, null)
  const actor = personIn(await createOwnProject(t.app.deps, person, 'Mine'), person, 'owner')
  if (!actor) throw new Error('no owner')
  const { url } = await invite(t.app.deps, actor, 'member', null)
  expect((await close(owner)).status).toBe(303)
  expect((await openBrowser(t).get(new URL(url ?? '').pathname)).status).toBe(404)
})

test('is refused to who alone owns a project of others, until somebody else does too', async () => {
  const member = await memberWith(t, 'member')
  expect((await owner.get(PATH)).text).toContain('You are the only active owner')
  expect((await close(owner)).status).toBe(422)
  expect(await exists(owner)).toBe(true)
  await setRole(t, member.account, 'owner')
  expect((await close(owner)).status).toBe(303)
  expect(await t.app.deps.store.projects.find(t.project.id)).not.toBeNull()
})

test('is refused to the last administrator, and one who is suspended is none', async () => {
  const root = await administrator(t)
  await addAccount(t, { isAdministrator: true, isSuspended: true })
  expect((await root.get(PATH)).text).toContain('You are the only administrator of this server.')
  expect((await close(root)).status).toBe(422)
  expect(await exists(root)).toBe(true)
  await addAccount(t, { isAdministrator: true })
  expect((await close(root)).status).toBe(303)
})

test('two last administrators who close at once do not both go', async () => {
  const both = [await administrator(t), await administrator(t)]
  await Promise.all(both.map((root) => close(root)))
  expect((await Promise.all(both.map(exists))).filter(Boolean)).toHaveLength(1)
})
