/**
 * The requests with which tests check each route of a page. The tests fill in names in braces, from their project or by creating things.
 */
import type { Right } from '../../domain/account/role.ts'

export interface Fixture {
  /**
   * Readers who get the page: everybody, signed-in people, people with that right in the project, or administrators. A GET redirects
   * strangers to the sign-in, a POST refuses them with 401. Other signed-in people get 403, or 404 in a project of which they are not
   * members.
   */
  readonly for: 'everybody' | 'people' | Right | 'administrators'
  /** status; 200 for a GET and 303 for a POST by default */
  readonly status?: number
  /** statuses for other readers */
  readonly but?: { readonly stranger?: number; readonly administrator?: number }
  /** path such as `/p/{project}/checks/{new-check}/edit`; the route's own path by default, with its own names */
  readonly at?: string
  /** names and values of fields; `{n}` is another number each time */
  readonly form?: Readonly<Record<string, string>>
  /** media type of the answer to a GET; `text/html` by default, for a page */
  readonly type?: string
  /** Cache-Control header; `no-store` by default */
  readonly cache?: string
  /**
   * Content-Security-Policy for readers who may see the answer; by default one that allows neither embedding in frames nor inline styles
   */
  readonly policy?: string
  /** Whether the route ends or replaces the session, or sends an email, which are limited for each network and hour. */
  readonly isOnce?: true
}

/** Fixtures by method and path: `GET /p/:project/checks`. */
export type Fixtures = Readonly<Record<string, Fixture>>
