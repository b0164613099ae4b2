/** Where a sign-in leads. */
import { endSession } from '../../services/accounts/sessions.ts'
import type { Deps } from '../../services/deps.ts'
import { cookiePlace, sessionCookie } from './cookie.ts'
import type { ToastCode } from './parts/toast.ts'
import type { PageAnswer, VisitorVisit } from './route.ts'

/** Leads on from a sign-in. The session that the browser had ends. @param token of the new session */
export async function enter(
  deps: Pick<Deps, 'store' | 'site'>,
  { identity, request, client }: VisitorVisit,
  token: string,
  lead: { readonly to: string; readonly done?: ToastCode },
): Promise<PageAnswer> {
  if (identity?.session) await endSession(deps, identity.person, identity.session.lookup)
  const cookie = sessionCookie(token, cookiePlace(request, deps.site.links.siteRoot, client.scheme))
  return { kind: 'redirect', ...lead, cookie }
}
