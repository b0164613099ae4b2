/**
 * Requests that ask browsers to sign with a passkey. Each request can be answered once within five minutes, by the browser whose cookie
 * contains the request's token.
 */
import type { Account } from '../../../domain/account/account.ts'
import type { ChallengePurpose } from '../../../domain/account/challenge.ts'
import {
  type CreationOptions,
  creationOptions,
  type RequestOptions,
  requestOptions,
} from '../../../domain/account/passkey.ts'
import { makeToken } from '../../../domain/account/session.ts'
import type { PasskeyRules } from '../../../domain/account/sign-in-rules.ts'
import { Refusal } from '../../../domain/errors.ts'
import type { Deps } from '../../common/deps.ts'
import { issueToken, takeToken } from '../tokens.ts'

type RequestDeps = Pick<Deps, 'store' | 'now' | 'random'>

export interface PasskeyRequest<Options> {
  /** value of the cookie; only its hash is stored */
  readonly token: string
  /** options for the browser, as JSON */
  readonly options: Options
}

/** The purpose of a request, and the account whose passkey may answer it. */
export interface PasskeyPurpose {
  readonly kind: Extract<ChallengePurpose, 'new-passkey' | 'passkey-sign-in' | 'passkey-confirmation'>
  /** null if any account may answer */
  readonly accountId: string | null
  /** token hash of the session or challenge to which the request belongs; null if the request is for a sign-in */
  readonly within: string | null
}

export const SIGN_IN: PasskeyPurpose = { kind: 'passkey-sign-in', accountId: null, within: null }

interface Data {
  /** 32 random bytes in base64url */
  readonly challenge: string
  readonly within: string | null
}

/** Asks the browser to create a passkey. @param session token hash of the session in which the passkey is added */
export async function requestNewPasskey(
  deps: RequestDeps & Pick<Deps, 'site'>,
  rules: PasskeyRules,
  account: Pick<Account, 'id' | 'email'>,
  session: string | null,
): Promise<PasskeyRequest<CreationOptions>> {
  const known = await deps.store.passkeys.list(account.id)
  const { token, challenge } = await begin(deps, { kind: 'new-passkey', accountId: account.id, within: session })
  return { token, options: creationOptions(rules, challenge, account, deps.site.name, known) }
}

/** Requests a signature from any passkey that the browser has for this server. The response identifies the passkey's owner. */
export async function requestSignIn(deps: RequestDeps, rules: PasskeyRules): Promise<PasskeyRequest<RequestOptions>> {
  const { token, challenge } = await begin(deps, SIGN_IN)
  return { token, options: requestOptions(rules, challenge, []) }
}

/** Requests a signature from one of the account's passkeys. @param within see {@link PasskeyPurpose} */
export async function requestConfirmation(
  deps: RequestDeps,
  rules: PasskeyRules,
  accountId: string,
  within: string,
): Promise<PasskeyRequest<RequestOptions>> {
  const known = await deps.store.passkeys.list(accountId)
  const { token, challenge } = await begin(deps, { kind: 'passkey-confirmation', accountId, within })
  return { token, options: requestOptions(rules, challenge, known) }
}

/** Uses up the request, so that it cannot be answered twice. @returns the bytes to sign, in base64url @throws Refusal `passkey-refused` */
export async function takeRequest(
  deps: Pick<Deps, 'store' | 'now'>,
  { kind, accountId, within }: PasskeyPurpose,
  token: string | null,
): Promise<string> {
  const taken = await takeToken(deps, kind, token)
  if (taken === null) {
    throw new Refusal('passkey-refused', 'the passkey request has already been answered, or has expired; try again')
  }
  const data = JSON.parse(taken.data) as Data
  if (taken.accountId !== accountId || data.within !== within) {
    throw new Refusal('passkey-refused', 'the passkey request belongs to another sign-in; try again')
  }
  return data.challenge
}

async function begin(
  deps: RequestDeps,
  { kind, accountId, within }: PasskeyPurpose,
): Promise<{ readonly token: string; readonly challenge: string }> {
  const challenge = makeToken(deps.random.bytes)
  const data: Data = { challenge, within }
  return { token: await issueToken(deps, { purpose: kind, accountId, data: JSON.stringify(data) }), challenge }
}
