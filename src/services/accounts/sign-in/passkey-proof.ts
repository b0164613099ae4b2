/** Verifies users by passkey: when they sign in, as a second factor, and before sensitive actions. */
import { isPasskeyId, type Passkey, type PasskeyUse, userHandle } from '../../../domain/account/passkey.ts'
import type { Session } from '../../../domain/account/session.ts'
import type { PasskeyRules } from '../../../domain/account/sign-in-rules.ts'
import type { Deps } from '../../common/deps.ts'
import { type PasskeyPurpose, SIGN_IN, takeRequest } from './passkey-requests.ts'
import { passkeyRefused, readAssertion, verifyPasskeyUse } from './passkey-verification.ts'
import type { PasskeyAnswer } from './passkeys.ts'
import { type AwaitedSignIn, beginSignIn, type Entrance } from './second-factor.ts'
import { type Browser, startSession } from './sessions.ts'

type ProofDeps = Pick<Deps, 'store' | 'now'>

/**
 * Signs in the owner of the passkey. A passkey that verified the person by PIN or fingerprint counts as two factors. With any other
 * passkey, the account's second factor is required too, if the account has one.
 * @throws Refusal `passkey-refused`, which has the same message for every problem with the passkey or its account; `unauthorized` in the
 * same cases as `startSession`
 */
export async function signInByPasskey(
  deps: ProofDeps & Pick<Deps, 'random'>,
  rules: PasskeyRules,
  answer: PasskeyAnswer,
  browser: Browser,
): Promise<Entrance> {
  const { accountId, isVerified } = await verifyAnswer(deps, rules, SIGN_IN, answer)
  const account = await deps.store.accounts.find(accountId)
  if (!account || account.isSuspended) throw passkeyRefused()
  const begin = isVerified ? startSession : beginSignIn
  return begin(deps, account, browser, { method: 'passkey' })
}

/** Returns true if a passkey may be used as the second factor of this sign-in. */
export async function takesPasskey({ store }: Pick<Deps, 'store'>, awaited: AwaitedSignIn): Promise<boolean> {
  return !isAgain(awaited) && (await store.passkeys.list(awaited.account.id)).length > 0
}

/** Returns true if the first factor was a passkey. In that case, the second factor may be the same passkey. */
function isAgain({ method }: AwaitedSignIn): boolean {
  return method === 'passkey'
}

/** Verifies the second factor of a sign-in, and ends its challenge. @throws Refusal `passkey-refused` */
export async function verifyPasskeyFactor(
  deps: ProofDeps,
  rules: PasskeyRules,
  awaited: AwaitedSignIn,
  answer: PasskeyAnswer,
): Promise<'passkey'> {
  if (isAgain(awaited)) throw passkeyRefused()
  const { account, lookup } = awaited
  await verifyAnswer(deps, rules, { kind: 'passkey-confirmation', accountId: account.id, within: lookup }, answer)
  if ((await deps.store.tokens.take(lookup, 'second-factor')) === null) throw passkeyRefused()
  return 'passkey'
}

/** Confirms the identity of a session's owner. @throws Refusal `passkey-refused` */
export async function confirmByPasskey(
  deps: ProofDeps,
  rules: PasskeyRules,
  { accountId, lookup }: Session,
  answer: PasskeyAnswer,
): Promise<void> {
  await verifyAnswer(deps, rules, { kind: 'passkey-confirmation', accountId, within: lookup }, answer)
  await deps.store.sessions.confirm(lookup, deps.now())
}

async function verifyAnswer(
  deps: ProofDeps,
  rules: PasskeyRules,
  purpose: PasskeyPurpose,
  { token, response }: PasskeyAnswer,
): Promise<Pick<Passkey, 'accountId'> & Pick<PasskeyUse, 'isVerified'>> {
  const challenge = await takeRequest(deps, purpose, token)
  const assertion = readAssertion(response)
  const passkey = isPasskeyId(assertion.id) ? await deps.store.passkeys.find(assertion.id) : null
  if (!passkey || !isFor(passkey, purpose, assertion.response.userHandle ?? null)) throw passkeyRefused()
  const use = await verifyPasskeyUse(rules, challenge, passkey, assertion)
  // Two simultaneous responses may both have been verified against the same counter, or the passkey may have been removed in the meantime.
  if (!(await deps.store.passkeys.use(use, deps.now()))) throw passkeyRefused()
  return { accountId: passkey.accountId, isVerified: use.isVerified }
}

/** Web Authentication, 7.2, step 6: if the person is not known yet, the response must contain their user handle. */
function isFor({ accountId }: Passkey, purpose: PasskeyPurpose, handle: string | null): boolean {
  if (handle !== null && handle !== userHandle(accountId)) return false
  return purpose.accountId === null ? handle !== null : purpose.accountId === accountId
}
