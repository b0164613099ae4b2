/** Routes, one function for each kind of reader. Answers are kept by nobody unless a rule says so, because what they show changes. */
import type { Right } from '../../../domain/account/role.ts'
import type { AccountVisit, Handler, ProjectVisit, Route, RouteRules, Visit, VisitorVisit } from '../route.ts'

type Method = Route['method']
type Rules = Partial<RouteRules>

/** For anybody; who is signed in is not even read. */
export function publicRoute(
  method: Method,
  path: string,
  answer: Handler<Visit>,
  rules: Rules & { readonly isUnlimited?: true } = {},
): Route {
  return { method, path, access: 'public', cache: 'no-store', answer, ...rules }
}

/** A route for anybody, signed in or not. */
export function visitorRoute(method: Method, path: string, answer: Handler<VisitorVisit>, rules: Rules = {}): Route {
  return { method, path, access: 'visitor', cache: 'no-store', answer, ...rules }
}

/** A route for people who are signed in. */
export function accountRoute(method: Method, path: string, answer: Handler<AccountVisit>, rules: Rules = {}): Route {
  return { method, path, access: 'account', cache: 'no-store', answer, ...rules }
}

/** A route for people who have proved lately who they are. */
export function sensitiveRoute(method: Method, path: string, answer: Handler<AccountVisit>): Route {
  return accountRoute(method, path, answer, { isSensitive: true })
}

/** A route for members of a project. @param path below `/p/<project>/` @param right that the reader needs in the project */
export function projectRoute(
  method: Method,
  path: string,
  right: Right,
  answer: Handler<ProjectVisit>,
  rules: Rules = {},
): Route {
  return { method, path: `/p/:project/${path}`, access: 'project', right, cache: 'no-store', answer, ...rules }
}

/** A route for people who own a project and have proved lately who they are. @param path below `/p/<project>/` */
export function ownerRoute(method: Method, path: string, answer: Handler<ProjectVisit>): Route {
  return projectRoute(method, path, 'own', answer, { isSensitive: true })
}

/** For administrators. */
export function adminRoute(method: Method, path: string, answer: Handler<AccountVisit>, rules: Rules = {}): Route {
  return { method, path, access: 'administrator', cache: 'no-store', answer, ...rules }
}

/** For administrators who change accounts: asks again who it is. */
export function sensitiveAdminRoute(method: Method, path: string, answer: Handler<AccountVisit>): Route {
  return adminRoute(method, path, answer, { isSensitive: true })
}
