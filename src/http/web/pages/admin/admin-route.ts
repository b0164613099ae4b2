/** Routes of the pages about the server. Their answers are not kept, because what they show changes. */
import type { AccountVisit, PageAnswer, Route } from '../../route.ts'

/** Only for administrators. */
export function adminRoute(
  method: Route['method'],
  path: string,
  answer: (visit: AccountVisit) => PageAnswer | Promise<PageAnswer>,
): Route {
  return { method, path, access: 'administrator', cache: 'no-store', answer }
}

/** For what changes accounts: asks again who it is. */
export function sensitiveAdminRoute(...route: Parameters<typeof adminRoute>): Route {
  return { ...adminRoute(...route), isSensitive: true }
}
