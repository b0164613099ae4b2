/**
 * Functions for creating routes, one for each kind of user. Responses are not cached unless the route has a cache rule, because they can
 * change at any time.
 */
import type { Right } from '../../../domain/account/role.ts'
import type { AccountVisit, Handler, ProjectVisit, Route, RouteRules, Visit, VisitorVisit } from '../route.ts'

type Method = Route['method']
type Rules = Partial<RouteRules>

/** Returns a public route. The server doesn't even load the session. */
export function publicRoute(
  method: Method,
  path: string,
  answer: Handler<Visit>,
  rules: Rules & { readonly isUnlimited?: true } = {},
): Route {
  return { method, path, access: 'public', cache: 'no-store', answer, ...rules }
}

/** Returns a route that is open to everyone, whether or not they are signed in. */
export function visitorRoute(method: Method, path: string, answer: Handler<VisitorVisit>, rules: Rules = {}): Route {
  return { method, path, access: 'visitor', cache: 'no-store', answer, ...rules }
}

/** Returns a route for signed-in users. */
export function accountRoute(method: Method, path: string, answer: Handler<AccountVisit>, rules: Rules = {}): Route {
  return { method, path, access: 'account', cache: 'no-store', answer, ...rules }
}

/** Returns a route for users who have recently proved their identity. */
export function sensitiveRoute(method: Method, path: string, answer: Handler<AccountVisit>): Route {
  return accountRoute(method, path, answer, { isSensitive: true })
}

/**
 * Returns a route for project members.
 * @param path path below `/p/<project>/`
 * @param right the right that the user needs in the project
 */
export function projectRoute(
  method: Method,
  path: string,
  right: Right,
  answer: Handler<ProjectVisit>,
  rules: Rules = {},
): Route {
  return { method, path: `/p/:project/${path}`, access: 'project', right, cache: 'no-store', answer, ...rules }
}

/** Returns a route for project owners who have recently proved their identity. @param path path below `/p/<project>/` */
export function ownerRoute(method: Method, path: string, answer: Handler<ProjectVisit>): Route {
  return projectRoute(method, path, 'own', answer, { isSensitive: true })
}

/** Returns a route for administrators. */
export function adminRoute(method: Method, path: string, answer: Handler<AccountVisit>, rules: Rules = {}): Route {
  return { method, path, access: 'administrator', cache: 'no-store', answer, ...rules }
}

/** Returns a route for administrators that requires a recent proof of identity. */
export function sensitiveAdminRoute(method: Method, path: string, answer: Handler<AccountVisit>): Route {
  return adminRoute(method, path, answer, { isSensitive: true })
}
