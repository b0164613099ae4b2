/**
 * Signs users in through the OpenID provider. The browser is redirected to the provider and returns with a code. The values that the code
 * must match are stored as a challenge, which is bound to the browser by a cookie and can be used only once.
 */
import type { Account } from '../../../domain/account/account.ts'
import { type Claims, type OpenIdSecrets, type ProvenPerson, readClaims } from '../../../domain/account/openid.ts'
import { makeToken } from '../../../domain/account/session.ts'
import type { OidcProvider } from '../../../domain/account/sign-in-rules.ts'
import { Refusal } from '../../../domain/errors.ts'
import { isSameSecret } from '../../../lib/secrets/same-secret.ts'
import { addSeconds, fromSeconds, isBefore } from '../../../lib/time.ts'
import type { Deps } from '../../common/deps.ts'
import { findToken, issueToken, takeToken } from '../tokens.ts'
import { listMeans } from './confirmation.ts'
import { accountOf, refused } from './oidc-account.ts'
import { awaitLink, type SignedInHere } from './oidc-link.ts'
import { type Browser, type FreshSession, startSession } from './sessions.ts'

/** The reason why the browser is sent to the provider: to sign in, to prove the person's identity again, or to link that identity. */
export type OidcPurpose = 'sign-in' | 'confirm' | 'link'

/** The data that this server stores for a pending sign-in. */
interface Begun extends OpenIdSecrets {
  readonly purpose: OidcPurpose
  /** local path to open after the sign-in */
  readonly next: string | null
  /** seconds since 1970 */
  readonly at: number
}

interface OidcStart {
  /** URL at the provider */
  readonly url: string
  /** value of the cookie */
  readonly token: string
}

type OidcDeps = Pick<
  Deps,
  'store' | 'now' | 'random' | 'log' | 'signInLimits' | 'signInRules' | 'openId' | 'site' | 'operator'
>

/**
 * @param account the signed-in account; required for `confirm` and `link`
 * @throws Refusal `oidc-unavailable`; `over-limit`, which is checked first
 */
export async function beginOidc(
  deps: OidcDeps,
  { purpose, next, account }: Pick<Begun, 'purpose' | 'next'> & { readonly account: Account | null },
  { address }: Browser,
): Promise<OidcStart> {
  const { random, now, openId, signInLimits } = deps
  const retryAfterSeconds = signInLimits.beginElsewhere(address)
  if (retryAfterSeconds > 0) throw new Refusal('over-limit', 'too many sign-ins were started', { retryAfterSeconds })
  const secret = () => makeToken(random.bytes)
  const begun: Begun = {
    purpose,
    next,
    at: Math.floor(now().epochMilliseconds / 1000),
    state: secret(),
    nonce: secret(),
    verifier: secret(),
  }
  const beginning = await requireClient(openId).begin(begun, purpose === 'confirm')
  if (beginning.kind === 'unavailable') throw unavailable(deps, beginning.reason)
  const accountId = purpose === 'sign-in' ? null : (account?.id ?? null)
  const data = JSON.stringify(begun)
  return { url: beginning.url, token: await issueToken(deps, { purpose: 'oidc', accountId, data }) }
}

/** The result of a sign-in at the provider. */
export type OidcEnd =
  | { readonly kind: 'signed-in'; readonly session: FreshSession; readonly next: string | null }
  | { readonly kind: 'confirmed'; readonly next: string | null }
  /** the identity will be linked once the account's owner confirms it with this token */
  | { readonly kind: 'named'; readonly token: string }

/**
 * @param token the token from the cookie
 * @param answer the query string that the browser came back with
 * @throws Refusal `oidc-refused` with a message for the person, `oidc-unavailable`
 */
export async function finishOidc(
  deps: OidcDeps,
  token: string | null,
  answer: URLSearchParams,
  here: SignedInHere | null,
  browser: Browser,
): Promise<OidcEnd> {
  const provider = requireProvider(deps)
  const waiting = await findToken(deps, 'oidc', token)
  if (waiting === null) throw beginAgain(deps)
  const begun = JSON.parse(waiting.data) as Begun
  // The state is checked before the challenge is used up. Otherwise a stranger could end a sign-in by sending the browser to this address.
  if (!isSameSecret(answer.get('state') ?? '', begun.state)) throw foreign(provider)
  if ((await takeToken(deps, 'oidc', token)) === null) throw beginAgain(deps)
  const { claims, tellsProof } = await ask(deps, provider, answer, begun)
  const person = readClaims(claims, provider.groupsClaim)
  if (person === null) throw refused(`${provider.name} sent an identity that this server cannot store`)
  const { purpose, next } = begun
  if (purpose === 'sign-in') return { kind: 'signed-in', session: await signIn(deps, person, browser), next }
  if (here === null || here.account.id !== waiting.accountId) {
    throw refused('you are no longer signed in here; sign in, then try again')
  }
  if (purpose === 'link') {
    return { kind: 'named', token: await awaitLink(deps, person, here.account) }
  }
  await requireSame(deps, provider, person, here.account)
  const others = (await listMeans(deps, here.account)).filter((means) => means !== 'oidc')
  // Without this exception, an account with no other way to confirm could never confirm anything if its provider does not report sign-in
  // times.
  const isAccepted = person.provedAt === null && !tellsProof && others.length === 0
  if (!isAccepted) requireFresh(provider, person, begun)
  await deps.store.sessions.confirm(here.session.lookup, deps.now())
  return { kind: 'confirmed', next }
}

async function ask(
  deps: OidcDeps,
  provider: OidcProvider,
  answer: URLSearchParams,
  begun: Begun,
): Promise<{ readonly claims: Claims; readonly tellsProof: boolean }> {
  const said = await requireClient(deps.openId).finish(answer, begun)
  switch (said.kind) {
    case 'claims':
      return said
    case 'unavailable':
      throw unavailable(deps, said.reason)
    case 'denied':
      throw refused(`${provider.name} did not sign you in; it says "${said.error}"`)
    case 'refused':
      deps.log('warning', 'a sign-in at the OpenID provider was refused', { reason: said.reason })
      throw foreign(provider)
  }
}

async function signIn(deps: OidcDeps, person: ProvenPerson, browser: Browser): Promise<FreshSession> {
  const account = await accountOf(deps, person, browser)
  await deps.store.identities.touch(person, deps.now())
  return startSession(deps, account, browser, { method: 'oidc' })
}

async function requireSame({ store }: OidcDeps, { name }: OidcProvider, person: ProvenPerson, account: Account) {
  if ((await store.identities.findAccount(person))?.id === account.id) return
  throw refused(`you signed in at ${name} as a different person`)
}

/** Number of seconds by which the provider's clock may be behind. */
const CLOCKS_DIFFER_SECONDS = 60

/** Requires a recent sign-in at the provider. Otherwise anyone could confirm in a browser that is still signed in there. */
function requireFresh({ name }: OidcProvider, { provedAt }: ProvenPerson, { at }: Begun): void {
  if (provedAt === null) {
    throw refused(`${name} does not report when you signed in there; go back and choose another method`)
  }
  if (!isBefore(provedAt, addSeconds(fromSeconds(at), -CLOCKS_DIFFER_SECONDS))) return
  throw refused(`${name} did not ask you to sign in again; sign out there, then try again`)
}

function requireClient(openId: Deps['openId']): NonNullable<Deps['openId']> {
  if (openId === null) throw new Error('there is no OpenID provider')
  return openId
}

function requireProvider({ signInRules: { oidc } }: Pick<Deps, 'signInRules'>): OidcProvider {
  if (oidc === null) throw new Error('there is no OpenID provider')
  return oidc
}

function beginAgain({ site }: Pick<Deps, 'site'>): Refusal {
  return refused(
    `this sign-in has ended, took longer than ten minutes, or began at an address other than ${site.links.siteRoot}; begin again`,
  )
}

function foreign({ name }: OidcProvider): Refusal {
  return refused(`the answer from ${name} does not belong to this sign-in; begin again`)
}

function unavailable({ log, signInRules }: OidcDeps, reason: string): Refusal {
  log('warning', 'the OpenID provider does not answer', { reason })
  const name = signInRules.oidc?.name ?? ''
  return new Refusal('oidc-unavailable', `${name} does not answer; try again in a minute`, { reason, isLogged: true })
}
