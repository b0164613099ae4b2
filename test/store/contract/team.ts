/** Ways into projects: the team, invitations, offers of ownership, accounts made by a link. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Account } from '../../../src/domain/account/account.ts'
import { INVITATION_SECONDS, INVITATIONS_LIMIT, type Invitation } from '../../../src/domain/account/invitation.ts'
import type { OneTimeLink } from '../../../src/domain/account/one-time-link.ts'
import { OFFER_SECONDS, type OwnershipOffer } from '../../../src/domain/account/ownership-offer.ts'
import type { Role } from '../../../src/domain/account/role.ts'
import {
  after,
  aMember,
  anAccount,
  anAuthor,
  aProject,
  NOON,
  type OpenStore,
  refusalOf,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function teamContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open, { name: 'First' })
  })
  afterEach(() => g.close())

  let changes = 0
  /** Makes each change later than the previous one, because the audit log is sorted by time. */
  const by = () => g.store.by(anAuthor({ at: after(++changes / 1_000) }))
  const create = async (email: string, over: Partial<Account> = {}) => {
    const account = anAccount({ email, ...over })
    await by().accounts.create(account)
    return account
  }
  const member = async (email: string, role: Role, over: Partial<Account> = {}) => {
    const account = await create(email, over)
    await by().team.setMember(aMember(account, g.project, role))
    return account
  }
  const codeOf = async (asked: Promise<unknown>) => (await refusalOf(asked)).code
  const roles = async () => {
    const members = await g.store.team.listMembers(g.project.id)
    return members.map(({ email, role }) => `${email.split('@')[0]} ${role}`)
  }
  /** Returns the rows of the newest change, without times. */
  const written = async (count: number) => {
    const rows = await g.store.audit.list(count)
    return rows.map(({ action, subject }) => `${action} ${subject.kind} ${subject.name}`).toSorted()
  }

  test('a team is listed by email, with when each was last seen, as far as the limit', async () => {
    const bob = await member('bob@example.org', 'member')
    await member('ann@example.org', 'owner', { isSuspended: true })
    await g.store.accounts.see(bob.id, after(5))
    const team = await g.store.team.list(g.project.id, 10)
    expect(team.map(({ email, role, lastSeenAt, isSuspended }) => [email, role, lastSeenAt, isSuspended])).toEqual([
      ['ann@example.org', 'owner', null, true],
      ['bob@example.org', 'member', after(5), false],
    ])
    expect(await g.store.team.list(g.project.id, 1)).toHaveLength(1)
    expect(await g.store.team.find(g.project.id, bob.id)).toEqual(team[1] ?? null)
    expect(await g.store.team.find(g.project.id, 'unknown')).toBeNull()
  })

  test('whoever changes a member learns whether it is the only owner', async () => {
    const ann = await member('ann@example.org', 'owner')
    const seen: boolean[] = []
    const look = (_: Role | null, isOnlyOwner: boolean) => void seen.push(isOnlyOwner)
    await by().team.setMember(aMember(ann, g.project, 'owner'), look)
    const bob = await member('bob@example.org', 'owner')
    await by().team.setMember(aMember(bob, g.project, 'member'), look)
    await by().team.removeMember(bob.id, g.project.id, look)
    await by().team.removeMember(ann.id, g.project.id, look)
    expect(seen).toEqual([true, false, false, true])
  })

  test('an owner beside one who is suspended is the only one', async () => {
    const ann = await member('ann@example.org', 'owner')
    const bob = await member('bob@example.org', 'owner', { isSuspended: true })
    const seen: boolean[] = []
    for (const account of [ann, bob]) {
      await by().team.setMember(aMember(account, g.project, 'owner'), (_, isOnlyOwner) => void seen.push(isOnlyOwner))
    }
    expect(seen).toEqual([true, false])
    expect((await g.store.accounts.readClosing(ann.id)).shared).toEqual([g.project])
  })

  describe('an invitation', () => {
    let count = 0
    const anInvitation = (over: Partial<Invitation> = {}): Invitation => ({
      lookup: `lookup ${++count}`,
      projectId: g.project.id,
      email: null,
      role: 'member',
      invitedBy: null,
      createdAt: NOON,
      expiresAt: after(INVITATION_SECONDS),
      ...over,
    })
    const invite = async (over: Partial<Invitation> = {}) => {
      const invitation = anInvitation(over)
      await by().invitations.create(invitation)
      return invitation
    }
    const find = async ({ lookup }: Invitation, seconds = 1) =>
      (await g.store.invitations.find(lookup, after(seconds))) !== null

    test('is found by its lookup with its project, and listed newest first, until it expires', async () => {
      const one = await invite({ email: 'new@example.org' })
      const other = await invite({ createdAt: after(1), expiresAt: after(10) })
      expect(await g.store.invitations.find(one.lookup, after(2))).toEqual({ invitation: one, project: g.project })
      expect(await g.store.invitations.list(g.project.id, after(2))).toEqual([other, one])
      expect(await g.store.invitations.list(g.project.id, after(10))).toEqual([one])
      expect([await find(other, 9), await find(other, 10)]).toEqual([true, false])
      expect(await g.store.invitations.find('unknown', after(2))).toBeNull()
    })

    test('works while who made it may invite', async () => {
      const maker = await member('boss@example.org', 'manager')
      const [plain, forOwner] = [
        await invite({ invitedBy: { id: maker.id, email: maker.email } }),
        await invite({ invitedBy: { id: maker.id, email: maker.email }, role: 'owner' }),
      ]
      const works = async () => [await find(plain), await find(forOwner)]
      const become = (role: Role) => by().team.setMember(aMember(maker, g.project, role))
      const change = (over: Partial<Account>) =>
        by().accounts.change(maker.id, (stored) => ({ ...stored, ...over }), null)
      expect(await works()).toEqual([true, false])
      await become('owner')
      expect(await works()).toEqual([true, true])
      await become('member')
      expect(await works()).toEqual([false, false])
      expect(await g.store.invitations.list(g.project.id, after(1))).toEqual([])
      await become('manager')
      await change({ isSuspended: true })
      expect(await works()).toEqual([false, false])
      await change({ isSuspended: false })
      await by().team.removeMember(maker.id, g.project.id)
      expect(await works()).toEqual([false, false])
      await change({ isAdministrator: true })
      expect(await works()).toEqual([true, true])
      await by().accounts.delete(maker.id)
      expect(await works()).toEqual([false, false])
    })

    test('makes a member of an account, once, in one change', async () => {
      const [ann, bob] = [await create('ann@example.org'), await create('bob@example.org')]
      const { lookup } = await invite({ role: 'manager' })
      const join = ({ id }: Account) => by().invitations.join(lookup, { accountId: id }, after(1))
      expect(await join(ann)).toEqual({ project: g.project, role: 'manager', isUnchanged: false })
      expect(await written(2)).toEqual(['create member ann@example.org', 'delete invitation a link'])
      expect(new Set((await g.store.audit.list(2)).map(({ author }) => author.changeId)).size).toBe(1)
      expect(await codeOf(join(bob))).toBe('link-ended')
      expect(await roles()).toEqual(['ann manager'])
    })

    test('is accepted by one of two who open it at once', async () => {
      const people = await Promise.all(['ann', 'bob'].map((name) => create(`${name}@example.org`)))
      const { lookup } = await invite()
      const other = (await g.another?.()) ?? g.store
      const stores = [g.store, other]
      const joined = await Promise.allSettled(
        people.map(({ id }, index) =>
          (stores[index] ?? other).by(anAuthor()).invitations.join(lookup, { accountId: id }, after(1)),
        ),
      )
      expect(joined.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(await roles()).toHaveLength(1)
    })

    test('gives a better role, and never a worse one, which leaves it to somebody else', async () => {
      const ann = await member('ann@example.org', 'manager')
      const join = ({ lookup }: Invitation) => by().invitations.join(lookup, { accountId: ann.id }, after(1))
      const [same, worse, better] = [
        await invite({ role: 'manager' }),
        await invite({ role: 'read-only' }),
        await invite({ role: 'owner' }),
      ]
      expect([await join(same), await join(worse)]).toMatchObject([
        { role: 'manager', isUnchanged: true },
        { role: 'manager', isUnchanged: true },
      ])
      expect([await find(same), await find(worse)]).toEqual([true, true])
      expect(await join(better)).toMatchObject({ role: 'owner', isUnchanged: false })
      expect(await roles()).toEqual(['ann owner'])
    })

    test('makes an account and its member together, or neither', async () => {
      const { lookup } = await invite()
      const join = (newAccount: Account) => by().invitations.join(lookup, { newAccount }, after(1))
      await create('ann@example.org')
      expect(await codeOf(join(anAccount({ email: 'ann@example.org' })))).toBe('account-exists')
      const bob = anAccount({ email: 'bob@example.org' })
      expect(await join(bob)).toMatchObject({ role: 'member' })
      expect(await g.store.accounts.find(bob.id)).toEqual(bob)
      expect(await codeOf(join(anAccount({ email: 'cid@example.org' })))).toBe('link-ended')
      expect(await g.store.accounts.find('cid@example.org')).toBeNull()
      expect(await roles()).toEqual(['bob member'])
    })

    test('is refused when it has expired, or the account is gone or suspended', async () => {
      const late = await invite({ expiresAt: after(5) })
      const open = await invite()
      const ann = await create('ann@example.org')
      const gone = await create('gone@example.org', { isSuspended: true })
      const join = ({ lookup }: Invitation, accountId: string) =>
        codeOf(by().invitations.join(lookup, { accountId }, after(5)))
      expect(await join(late, ann.id)).toBe('link-ended')
      expect(await join(open, gone.id)).toBe('link-ended')
      expect(await join(open, 'nobody')).toBe('link-ended')
      expect(await roles()).toEqual([])
    })

    test('belongs to the account of its maker, whatever its email, and goes with it', async () => {
      const maker = await member('boss@example.org', 'manager')
      const one = await invite({ invitedBy: { id: maker.id, email: maker.email } })
      await by().accounts.change(maker.id, (stored) => ({ ...stored, email: 'new@example.org' }), null)
      await member('boss@example.org', 'read-only')
      const found = await g.store.invitations.find(one.lookup, after(1))
      expect(found?.invitation.invitedBy).toEqual({ id: maker.id, email: 'new@example.org' })
      await by().accounts.delete(maker.id)
      await member('new@example.org', 'owner')
      expect(await find(one)).toBe(false)
    })

    test('is revoked in its own project only, once', async () => {
      const other = await by().projects.create(aProject({ name: 'Other' }), [])
      const one = await invite({ email: 'new@example.org' })
      const revoke = (projectId: string) => by().invitations.delete(projectId, one.lookup)
      expect(await revoke(other.id)).toBe(false)
      expect(await find(one)).toBe(true)
      expect([await revoke(g.project.id), await revoke(g.project.id)]).toEqual([true, false])
      expect(await written(1)).toEqual(['delete invitation new@example.org'])
      expect(await find(one)).toBe(false)
    })

    test('tells whether it was mailed to an address, while it works', async () => {
      const boss = await member('boss@example.org', 'manager')
      const inviter = { id: boss.id, email: boss.email }
      await invite({ email: 'new@example.org', invitedBy: inviter, expiresAt: after(5) })
      await invite()
      const invited = (email: string, seconds: number) => g.store.invitations.isInvited(email, after(seconds))
      expect([await invited('new@example.org', 4), await invited('new@example.org', 5)]).toEqual([true, false])
      expect(await invited('other@example.org', 4)).toBe(false)
      await by().team.removeMember(boss.id, g.project.id)
      expect(await invited('new@example.org', 4)).toBe(false)
    })

    test('ends with all others of its project, unless that is refused, which knows how many people are in it', async () => {
      await member('ann@example.org', 'owner')
      const other = await by().projects.create(aProject({ name: 'Other' }), [])
      const [one, two] = [await invite(), await invite({ email: 'new@example.org' })]
      const theirs = await invite({ projectId: other.id })
      const refuse = (people: number) => {
        throw new Error(`${people} in it`)
      }
      await expect(by().invitations.endAll(g.project.id, refuse)).rejects.toThrow('1 in it')
      expect(await find(one)).toBe(true)
      await by().invitations.endAll(g.project.id, () => {})
      expect([await find(one), await find(two), await find(theirs)]).toEqual([false, false, true])
      expect(await written(2)).toEqual(['delete invitation a link', 'delete invitation new@example.org'])
    })

    test('is one of so many, those that do not work not counted', async () => {
      await invite({ expiresAt: after(1) })
      const boss = await member('boss@example.org', 'owner', { isSuspended: true })
      await invite({ invitedBy: { id: boss.id, email: boss.email } })
      for (let made = 0; made < INVITATIONS_LIMIT; made++) await invite({ createdAt: after(2) })
      expect(await codeOf(invite({ createdAt: after(2) }))).toBe('invitations-full')
    })

    test('is logged without its token or its hash', async () => {
      const token = 'f'.repeat(64)
      await invite({ lookup: token })
      expect(JSON.stringify(await g.store.audit.list(5))).not.toContain(token)
    })
  })

  describe('an offer of ownership', () => {
    const offerOf = (from: Account, to: Account, over: Partial<OwnershipOffer> = {}): OwnershipOffer => ({
      projectId: g.project.id,
      fromId: from.id,
      fromEmail: from.email,
      toId: to.id,
      toEmail: to.email,
      createdAt: NOON,
      expiresAt: after(OFFER_SECONDS),
      ...over,
    })
    let ann: Account
    let bob: Account
    beforeEach(async () => {
      ann = await member('ann@example.org', 'owner')
      bob = await member('bob@example.org', 'read-only')
    })
    const find = (seconds = 1) => g.store.offers.find(g.project.id, after(seconds))
    const accept = ({ id }: Account, seconds = 1) => by().offers.accept(g.project.id, id, after(seconds))

    test('is seen by its recipient, and replaced by the next one of the project', async () => {
      const cid = await member('cid@example.org', 'member')
      await by().offers.create(offerOf(ann, cid))
      const offer = offerOf(ann, bob)
      await by().offers.create(offer)
      expect(await find()).toEqual(offer)
      expect(await g.store.offers.listTo(bob.id, after(1))).toEqual([{ offer, project: g.project }])
      expect(await g.store.offers.listTo(cid.id, after(1))).toEqual([])
    })

    test('makes its recipient the owner and its giver a member when it is accepted, in one change', async () => {
      await by().offers.create(offerOf(ann, bob))
      await accept(bob)
      expect(await roles()).toEqual(['ann member', 'bob owner'])
      expect(await written(3)).toEqual([
        'delete ownership-offer bob@example.org',
        'edit member ann@example.org',
        'edit member bob@example.org',
      ])
      expect(await codeOf(accept(bob))).toBe('offer-ended')
    })

    test('is accepted by nobody else, and not after it has expired or was ended', async () => {
      await by().offers.create(offerOf(ann, bob, { expiresAt: after(5) }))
      expect(await codeOf(accept(ann))).toBe('offer-ended')
      expect(await codeOf(accept(bob, 5))).toBe('offer-ended')
      const refuse = () => {
        throw new Error('refused')
      }
      const end = (allow: () => void) => by().offers.end(g.project.id, after(1), allow)
      await expect(end(refuse)).rejects.toThrow('refused')
      expect(await end(() => {})).toMatchObject({ toId: bob.id })
      expect(await written(1)).toEqual(['delete ownership-offer bob@example.org'])
      expect(await codeOf(accept(bob))).toBe('offer-ended')
      expect(await codeOf(end(() => {}))).toBe('offer-ended')
      expect(await roles()).toEqual(['ann owner', 'bob read-only'])
    })

    test('ends when its giver is no owner any more, or its recipient has left', async () => {
      await by().offers.create(offerOf(ann, bob))
      await by().team.setMember(aMember(ann, g.project, 'manager'))
      expect(await find()).toBeNull()
      expect(await codeOf(accept(bob))).toBe('offer-ended')
      await by().team.setMember(aMember(ann, g.project, 'owner'))
      await by().team.removeMember(bob.id, g.project.id)
      expect([await find(), await g.store.offers.listTo(bob.id, after(1))]).toEqual([null, []])
    })

    test('stays when its giver or recipient changes the password', async () => {
      await by().offers.create(offerOf(ann, bob))
      for (const { id } of [ann, bob]) {
        await by().accounts.change(id, (account) => ({ ...account, passwordHash: 'new' }), null)
      }
      expect(await find()).toEqual(offerOf(ann, bob))
    })

    test('is no invitation and no link, by which its project would be found', async () => {
      await by().offers.create(offerOf(ann, bob))
      expect(await g.store.invitations.find(g.project.id, after(1))).toBeNull()
      expect(await by().invitations.delete(g.project.id, g.project.id)).toBe(false)
      await by().invitations.endAll(g.project.id, () => {})
      expect(await codeOf(by().invitations.signUp(anAccount(), g.project.id))).toBe('link-ended')
      expect(await find()).toEqual(offerOf(ann, bob))
    })

    test('is made by an owner to a member who is not suspended', async () => {
      const cid = await create('cid@example.org')
      const dan = await member('dan@example.org', 'member', { isSuspended: true })
      expect(await codeOf(by().offers.create(offerOf(ann, dan)))).toBe('member-not-found')
      expect(await codeOf(by().offers.create(offerOf(bob, ann)))).toBe('forbidden')
      expect(await codeOf(by().offers.create(offerOf(cid, bob)))).toBe('forbidden')
      expect(await codeOf(by().offers.create(offerOf(ann, cid)))).toBe('member-not-found')
      expect(await find()).toBeNull()
    })
  })

  describe('an account made by a link', () => {
    const linkTo = async (email: string): Promise<OneTimeLink> => {
      const link = {
        lookup: `link of ${email}`,
        purpose: 'sign-up',
        accountId: null,
        expiresAt: after(60),
        email,
      } as const
      await g.store.tokens.create(link)
      return link
    }

    test('ends its link, and those of others stay', async () => {
      const [one, other] = [await linkTo('ann@example.org'), await linkTo('bob@example.org')]
      const ann = anAccount({ email: 'ann@example.org' })
      await by().invitations.signUp(ann, one.lookup)
      expect(await g.store.accounts.find(ann.id)).toEqual(ann)
      expect(await g.store.tokens.find(one.lookup, 'sign-up')).toBeNull()
      expect(await g.store.tokens.find(other.lookup, 'sign-up')).toEqual(other)
      expect(await codeOf(by().invitations.signUp(anAccount({ email: 'cid@example.org' }), one.lookup))).toBe(
        'link-ended',
      )
      expect(await g.store.accounts.find('cid@example.org')).toBeNull()
    })

    test('is refused for an address that has one, and its link stays', async () => {
      await create('ann@example.org')
      const { lookup } = await linkTo('ann@example.org')
      expect(await codeOf(by().invitations.signUp(anAccount({ email: 'ann@example.org' }), lookup))).toBe(
        'account-exists',
      )
      expect(await g.store.tokens.find(lookup, 'sign-up')).not.toBeNull()
    })
  })
}
