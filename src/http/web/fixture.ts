/**
 * Requests that the tests send to each of a page's routes. The tests replace a name in braces with a value from their project, or create
 * the object that it refers to.
 */
import type { Right } from '../../domain/account/role.ts'

export interface Fixture {
  /**
   * Users who get the page: everybody, signed-in users, users with this right in the project, or administrators. Without a session, a GET
   * redirects to the sign-in page and a POST gets 401. Other signed-in users get 403, or 404 in a project that they are not members of.
   */
  readonly for: 'everybody' | 'people' | Right | 'administrators'
  /** expected status; by default, 200 for a GET and 303 for a POST */
  readonly status?: number
  /** expected statuses for other users */
  readonly but?: { readonly stranger?: number; readonly administrator?: number }
  /** path such as `/p/{project}/checks/{new-check}/edit`; by default, the route's path with its parameter names */
  readonly at?: string
  /** form fields by name; `{n}` is replaced with a different number each time */
  readonly form?: Readonly<Record<string, string>>
  /** media type of the response to a GET; `text/html` by default */
  readonly type?: string
  /** Cache-Control header; `no-store` by default */
  readonly cache?: string
  /**
   * Content-Security-Policy for users who are allowed to see the response. The default policy does not allow embedding in frames or inline
   * styles
   */
  readonly policy?: string
  /**
   * true if a test may call the route only once, because the route ends or replaces the session, or sends an email. The number of emails
   * per network and hour is limited.
   */
  readonly isOnce?: true
}

/** Fixtures by method and path, such as `GET /p/:project/checks`. */
export type Fixtures = Readonly<Record<string, Fixture>>
