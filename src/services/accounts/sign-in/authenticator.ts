/** Sets up an account's authenticator app and recovery codes. */
import type { Account } from '../../../domain/account/account.ts'
import { makeRecoveryCode, RECOVERY_CODES, recoveryLookup } from '../../../domain/account/recovery-code.ts'
import { findTotpStep, makeTotpSecret, withoutBlanks } from '../../../domain/account/totp.ts'
import { type Operator, type Person, requireAdministrator } from '../../../domain/actor.ts'
import { authorOf } from '../../common/author.ts'
import type { Deps } from '../../common/deps.ts'
import { getAccount } from '../accounts.ts'
import { findToken, issueToken, takeToken } from '../tokens.ts'

type SetUpDeps = Pick<Deps, 'store' | 'now' | 'random'>

/** An authenticator app that is being set up. */
export interface NewApp {
  /** value of the cookie */
  readonly token: string
  /** the app's secret in base32; it is stored with the account only after the person has entered a code from the app */
  readonly secret: string
}

/** Returns the app that this browser is already setting up, or a new one. @param token the token from the cookie */
export async function beginApp(deps: SetUpDeps, { accountId }: Person, token: string | null): Promise<NewApp> {
  const begun = await findApp(deps, accountId, token)
  if (begun !== null) return begun
  const secret = makeTotpSecret(deps.random.bytes)
  const data = JSON.stringify({ secret })
  return { secret, token: await issueToken(deps, { purpose: 'totp', accountId, data }) }
}

async function findApp(deps: SetUpDeps, accountId: string, token: string | null): Promise<NewApp | null> {
  const challenge = await findToken(deps, 'totp', token)
  if (token === null || challenge?.accountId !== accountId) return null
  return { token, secret: readSecret(challenge.data) }
}

function readSecret(data: string): string {
  const { secret } = JSON.parse(data) as { readonly secret?: unknown }
  if (typeof secret !== 'string') throw new Error('a set-up without a secret')
  return secret
}

type SetUpResult =
  /** recovery codes in plain text, which are returned only once */
  | { readonly kind: 'done'; readonly recoveryCodes: readonly string[] }
  | { readonly kind: 'wrong-code' }
  /** the set-up was already finished, or it took too long */
  | { readonly kind: 'ended' }

/** Finishes the set-up, and ends the other sessions. @param token see {@link NewApp} @param kept token hash of the session to keep */
export async function finishApp(
  deps: SetUpDeps,
  person: Person,
  kept: string | null,
  token: string | null,
  code: string,
): Promise<SetUpResult> {
  const app = await findApp(deps, person.accountId, token)
  if (app === null) return { kind: 'ended' }
  const step = findTotpStep(app.secret, withoutBlanks(code), deps.now())
  if (step === null) return { kind: 'wrong-code' }
  if ((await takeToken(deps, 'totp', token)) === null) return { kind: 'ended' }
  const codes = makeCodes(deps)
  const factor = { totp: { secret: app.secret, usedStep: step }, recoveryLookups: codes.map(recoveryLookup) }
  await deps.store.by(authorOf(deps, person)).secondFactors.set(person.accountId, factor, kept)
  return { kind: 'done', recoveryCodes: codes }
}

function makeCodes({ random }: Pick<Deps, 'random'>): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => makeRecoveryCode(random.bytes))
}

/** Removes the authenticator app, and ends the other sessions. @param kept token hash of the session to keep */
export async function removeApp(deps: SetUpDeps, person: Person, kept: string | null): Promise<void> {
  await deps.store.by(authorOf(deps, person)).secondFactors.set(person.accountId, null, kept)
}

/** Counts the remaining recovery codes. */
export function countRecoveryCodes({ store }: Pick<Deps, 'store'>, { accountId }: Person): Promise<number> {
  return store.secondFactors.countRecoveryCodes(accountId)
}

/**
 * Replaces the recovery codes.
 * @returns the new codes in plain text, which can't be read later; null if the account has no authenticator app
 */
export async function replaceRecoveryCodes(deps: SetUpDeps, person: Person): Promise<readonly string[] | null> {
  const codes = makeCodes(deps)
  const author = authorOf(deps, person)
  const isDone = await deps.store
    .by(author)
    .secondFactors.replaceRecoveryCodes(person.accountId, codes.map(recoveryLookup))
  return isDone ? codes : null
}

/**
 * Removes a person's second factor, for people who have lost their app, recovery codes or passkeys. Ends all sessions.
 * @returns the account; its `totp` is null
 * @throws Refusal `account-not-found`
 */
export async function removeSecondFactor(deps: SetUpDeps, by: Person | Operator, idOrEmail: string): Promise<Account> {
  requireAdministrator(by)
  const account = await getAccount(deps, by, idOrEmail)
  return (await deps.store.by(authorOf(deps, by)).secondFactors.remove(account.id)) ?? account
}
