/** Issues and finds the tokens of links and challenges. Each token can be used once, and only its hash is stored. */
import { isToken, makeToken, tokenLookup } from '../../domain/account/session.ts'
import {
  type Token,
  type TokenFor,
  type TokenPurpose,
  tokenSeconds,
  type WantedToken,
} from '../../domain/account/token.ts'
import { addSeconds, isAtOrAfter } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'

interface FreshToken<Stored> {
  /** value to put into a link or a cookie */
  readonly token: string
  readonly stored: Stored & Pick<Token, 'lookup' | 'expiresAt'>
}

export function freshToken<Wanted extends WantedToken>(
  { now, random }: Pick<Deps, 'now' | 'random'>,
  wanted: Wanted,
): FreshToken<Wanted> {
  const token = makeToken(random.bytes)
  const expiresAt = addSeconds(now(), tokenSeconds(wanted))
  return { token, stored: { ...wanted, lookup: tokenLookup(token), expiresAt } }
}

/** Stores a new token. @returns the value of the token */
export async function issueToken(deps: Pick<Deps, 'store' | 'now' | 'random'>, wanted: WantedToken): Promise<string> {
  const { token, stored } = freshToken(deps, wanted)
  await deps.store.tokens.create(stored)
  return token
}

type ReadDeps = Pick<Deps, 'store' | 'now'>

/** Finds a token without using it up. @returns null if the token was already used, has expired, or has another purpose */
export function findToken<Purpose extends TokenPurpose>(
  deps: ReadDeps,
  purpose: Purpose,
  token: string | null,
): Promise<TokenFor<Purpose> | null> {
  return inTime(deps, token, (lookup) => deps.store.tokens.find(lookup, purpose))
}

/** Finds a token and uses it up. A second call returns null. */
export function takeToken<Purpose extends TokenPurpose>(
  deps: ReadDeps,
  purpose: Purpose,
  token: string | null,
): Promise<TokenFor<Purpose> | null> {
  return inTime(deps, token, (lookup) => deps.store.tokens.take(lookup, purpose))
}

async function inTime<Found extends Token>(
  { now }: ReadDeps,
  token: string | null,
  read: (lookup: string) => Promise<Found | null>,
): Promise<Found | null> {
  const found = token !== null && isToken(token) ? await read(tokenLookup(token)) : null
  return found && !isAtOrAfter(now(), found.expiresAt) ? found : null
}
