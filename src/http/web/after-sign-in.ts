/** The step after a sign-in: starts a session, or shows the second-factor page. */
import { CHALLENGE_SECONDS } from '../../domain/account/challenge.ts'
import { withNext } from '../../domain/account/next.ts'
import type { Entrance } from '../../services/accounts/sign-in/second-factor.ts'
import { endSession } from '../../services/accounts/sign-in/sessions.ts'
import type { Deps } from '../../services/common/deps.ts'
import { cookiePlace, readCookie, sessionCookie, setCookie } from './cookie.ts'
import type { ToastCode } from './parts/toast.ts'
import type { PageAnswer, VisitorVisit } from './route.ts'

/** Path of the second-factor page. */
export const CODE_PATH = '/sign-in/code'

const AWAITED = 'overdue_sign_in'

/** Returns the token of a sign-in that still needs its second factor; null if the browser did not send one. */
export function readAwaited({ headers }: Request): string | null {
  return readCookie(headers, AWAITED)
}

/**
 * Redirects to the page that the user requested, or to the second-factor page. Ends the browser's previous session once the new one
 * exists.
 */
export async function afterSignIn(
  deps: Pick<Deps, 'store' | 'site' | 'now' | 'random'>,
  visit: VisitorVisit,
  { token, session }: Entrance,
  lead: { readonly to: string; readonly done?: ToastCode },
): Promise<PageAnswer> {
  const { identity } = visit
  const place = cookiePlace(deps, visit)
  if (session === null) {
    const cookie = setCookie({ name: AWAITED, value: token, seconds: CHALLENGE_SECONDS, place })
    return { kind: 'redirect', ...lead, to: withNext(CODE_PATH, lead.to), cookie }
  }
  if (identity?.session) await endSession(deps, identity.person, identity.session.lookup)
  return { kind: 'redirect', ...lead, cookie: sessionCookie(token, place) }
}
