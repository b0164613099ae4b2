/** Verifies the second factor of a sign-in: a code from an authenticator app, or a recovery code. */
import type { Account } from '../../../domain/account/account.ts'
import { recoveryLookup } from '../../../domain/account/recovery-code.ts'
import { SIGN_IN_METHODS, type SignInMethod } from '../../../domain/account/session.ts'
import { findTotpStep, isTotpCode, withoutBlanks } from '../../../domain/account/totp.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { Deps } from '../../common/deps.ts'
import { findToken, issueToken } from '../tokens.ts'
import { type Browser, type FreshSession, type SecondFactor, type SignedInBy, startSession } from './sessions.ts'

/** The result of a first factor: a session, or a challenge for the second factor. */
export type Entrance = FreshSession | AwaitedFactor

interface AwaitedFactor {
  /** token of the challenge, for a separate cookie */
  readonly token: string
  readonly session: null
  readonly account: Account
}

/**
 * Starts a session, or issues a challenge if the account has a second factor.
 * @throws Refusal `unauthorized` in the same cases as `startSession`
 */
export async function beginSignIn(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  account: Account,
  browser: Browser,
  by: SignedInBy,
): Promise<Entrance> {
  if (account.totp === null) return startSession(deps, account, browser, by)
  const data = JSON.stringify({ method: by.method })
  const token = await issueToken(deps, { purpose: 'second-factor', accountId: account.id, data })
  return { token, session: null, account }
}

/** A sign-in that is waiting for its second factor. */
export interface AwaitedSignIn {
  readonly account: Account
  /** the first factor */
  readonly method: SignInMethod
  /** token hash of the challenge */
  readonly lookup: string
}

/**
 * Returns the sign-in that is waiting for its second factor. Returns null if there is none, or if it has expired.
 * @param token the token from the cookie
 */
export async function findAwaited(
  deps: Pick<Deps, 'store' | 'now'>,
  token: string | null,
): Promise<AwaitedSignIn | null> {
  const challenge = await findToken(deps, 'second-factor', token)
  const account = challenge?.accountId ? await deps.store.accounts.find(challenge.accountId) : null
  return challenge && account && { account, method: readMethod(challenge.data), lookup: challenge.lookup }
}

/**
 * Starts the session of a sign-in that is waiting for its second factor.
 * @param verify uses up the factor together with the challenge; throws a refusal if the factor is wrong, in which case the sign-in keeps
 * waiting
 * @returns null if no sign-in is waiting, or it has expired
 * @throws refusals from `verify`; `unauthorized` in the same cases as `startSession`
 */
export async function finishSignIn(
  deps: Pick<Deps, 'store' | 'now' | 'random'>,
  token: string | null,
  browser: Browser,
  verify: (awaited: AwaitedSignIn) => Promise<SecondFactor>,
): Promise<FreshSession | null> {
  // The account is read before `verify` uses up the challenge. If the password has changed, the challenge no longer exists, and a
  // later challenge does not match this version of the account.
  const awaited = await findAwaited(deps, token)
  if (awaited === null) return null
  const secondFactor = await verify(awaited)
  const { account, method } = awaited
  const { passwordHash } = account
  if (method !== 'password') return startSession(deps, account, browser, { method, secondFactor })
  return passwordHash === null ? null : startSession(deps, account, browser, { method, passwordHash, secondFactor })
}

function readMethod(data: string): SignInMethod {
  const { method } = JSON.parse(data) as { readonly method?: unknown }
  return SIGN_IN_METHODS.find((each) => each === method) ?? 'link'
}

type CodeDeps = Pick<Deps, 'store' | 'now' | 'signInLimits'>

/** Uses up the code together with the sign-in's challenge. @throws Refusal `sign-in-failed`; `over-limit`, which is checked first */
export async function verifySecondFactor(
  deps: CodeDeps,
  { account, lookup }: Pick<AwaitedSignIn, 'account' | 'lookup'>,
  text: string,
  address: string | null,
): Promise<'totp' | 'recovery-code'> {
  const code = withoutBlanks(text)
  if (isTotpCode(code)) {
    await verifyTotp(deps, account, code, address, lookup)
    return 'totp'
  }
  await count(deps, account, address, () =>
    deps.store.secondFactors.useRecoveryCode(account.id, recoveryLookup(code), lookup),
  )
  return 'recovery-code'
}

/**
 * Uses up the code.
 * @param signIn token hash of the challenge to use up with the code; null if there is none
 * @throws Refusal `sign-in-failed`; `over-limit`, which is checked first
 */
export function verifyTotp(
  deps: CodeDeps,
  account: Account,
  text: string,
  address: string | null,
  signIn: string | null = null,
): Promise<void> {
  return count(deps, account, address, async () => {
    const { totp } = account
    const step = totp && findTotpStep(totp.secret, withoutBlanks(text), deps.now())
    return totp !== null && step !== null && deps.store.secondFactors.useTotpStep(account.id, totp.secret, step, signIn)
  })
}

/** Counts wrong codes, so that an attacker cannot try them all. */
async function count(
  { signInLimits }: Pick<Deps, 'signInLimits'>,
  { email }: Account,
  address: string | null,
  isRight: () => Promise<boolean>,
): Promise<void> {
  const attempt = signInLimits.beginCode(email, address)
  if (!attempt.isAllowed) {
    const { retryAfterSeconds } = attempt
    throw new Refusal('over-limit', 'too many codes were wrong', { retryAfterSeconds })
  }
  let is: boolean
  try {
    is = await isRight()
  } catch (error) {
    attempt.takeBack()
    throw error
  }
  if (is) return attempt.succeed()
  const { left, waitSeconds } = attempt.fail()
  throw new Refusal('sign-in-failed', 'the code is wrong, was used already, or has expired', {
    triesLeft: left,
    waitSeconds,
  })
}
