/** People with accounts, at browsers, for tests of services. */
import type { Account } from '../../../src/domain/account/account.ts'
import type { Role } from '../../../src/domain/account/role.ts'
import type { Person } from '../../../src/domain/actor.ts'
import { visitorTurn } from '../../../src/services/accounts/sign-in/hash-turns.ts'
import type { Entrance } from '../../../src/services/accounts/sign-in/second-factor.ts'
import { type Browser, type FreshSession, personOf } from '../../../src/services/accounts/sign-in/sessions.ts'
import { aMember, anAccount, anAuthor, refusalOf } from '../../support/store-builders.ts'
import type { TestApp } from '../../support/test-app.ts'

export const BROWSER: Browser = { address: '192.0.2.7', userAgent: 'Firefox' }
/** A browser in another network than {@link BROWSER}. */
export const ELSEWHERE: Browser = { address: '198.51.100.1', userAgent: 'Chromium' }

/** A password that is accepted, and not one of the commonest. */
export const PASSWORD = 'correct horse battery'
export const OTHER_PASSWORD = 'staple of another horse'

interface Given extends Partial<Account> {
  /** null: no password */
  readonly password?: string | null
  /** role in the project of the app */
  readonly role?: Role
}

/** Stores ann@example.org with {@link PASSWORD} by default. */
export async function accountOf(t: TestApp, { password = PASSWORD, role, ...over }: Given = {}): Promise<Account> {
  const { passwords, store } = t.app.deps
  const passwordHash = password === null ? null : await passwords.hash(password, visitorTurn(null))
  const account = anAccount({ email: 'ann@example.org', passwordHash, ...over })
  await store.by(anAuthor()).accounts.create(account)
  if (role) await store.by(anAuthor()).team.setMember(aMember(account, t.project, role))
  return account
}

export const personAt = (account: Account, { address }: Browser = BROWSER): Person => personOf(account, address)

/** Returns the session of a sign-in that needs only one factor. */
export async function entered(asked: Promise<Entrance>): Promise<FreshSession> {
  const entrance = await asked
  if (entrance.session === null) throw new Error('a second factor is asked for')
  return entrance
}

/** Returns the answer to the sender of a refused request. */
export async function answerOf(asked: Promise<unknown>): Promise<readonly unknown[]> {
  const { code, message, data } = await refusalOf(asked)
  return [code, message, data]
}

export const codeOf = async (asked: Promise<unknown>): Promise<string> => (await refusalOf(asked)).code

/** Returns the token at the end of a link. */
export function tokenIn(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}
