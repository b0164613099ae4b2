/** What a browser has begun and must finish within minutes, such as a sign-in that still needs a second factor. */
import { CHALLENGE_SECONDS, type Challenge, type ChallengeKind } from '../../../domain/account/challenge.ts'
import { isToken, makeToken, tokenLookup } from '../../../domain/account/session.ts'
import { addSeconds, isAtOrAfter } from '../../../lib/time.ts'
import type { Deps } from '../../common/deps.ts'

/** @param data is stored as JSON @param seconds how long it may take @returns a token for a cookie; only its hash is stored */
export async function beginChallenge(
  { store, now, random }: Pick<Deps, 'store' | 'now' | 'random'>,
  kind: ChallengeKind,
  accountId: string | null,
  data: unknown,
  seconds = CHALLENGE_SECONDS,
): Promise<string> {
  const token = makeToken(random.bytes)
  const expiresAt = addSeconds(now(), seconds)
  await store.createChallenge({
    lookup: tokenLookup(token),
    kind,
    accountId,
    data: JSON.stringify(data),
    expiresAt,
  })
  return token
}

type ReadDeps = Pick<Deps, 'store' | 'now'>

/** Leaves it to be finished. @returns null for one that was finished, has expired, or is of another kind */
export function findChallenge(deps: ReadDeps, kind: ChallengeKind, token: string | null): Promise<Challenge | null> {
  return inTime(deps, token, (lookup) => deps.store.findChallenge(lookup, kind))
}

/** Finishes it: a second call gets null, as {@link findChallenge} does. */
export function takeChallenge(deps: ReadDeps, kind: ChallengeKind, token: string | null): Promise<Challenge | null> {
  return inTime(deps, token, (lookup) => deps.store.takeChallenge(lookup, kind))
}

async function inTime(
  { now }: ReadDeps,
  token: string | null,
  read: (lookup: string) => Promise<Challenge | null>,
): Promise<Challenge | null> {
  const challenge = token !== null && isToken(token) ? await read(tokenLookup(token)) : null
  return challenge && !isAtOrAfter(now(), challenge.expiresAt) ? challenge : null
}
