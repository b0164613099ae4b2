/** How the tests ask each route of a page. They fill in names in braces: of what their project has, or of what they make for it. */
import type { Right } from '../../domain/account/role.ts'

export interface Fixture {
  /**
   * Who gets its answer: everybody, who is signed in, who may do that in the project, or administrators. A GET leads strangers to the
   * sign-in, a POST refuses them with 401; others who are signed in get 403, and 404 in a project that they are not in.
   */
  readonly for: 'everybody' | 'people' | Right | 'administrators'
  /** 200 for a GET and 303 for a POST by default */
  readonly status?: number
  /** what somebody gets instead */
  readonly but?: { readonly stranger?: number; readonly administrator?: number }
  /** such as `/p/{project}/checks/{new-check}/edit`; the route's own path by default, with its own names */
  readonly at?: string
  /** names and values of fields; `{n}` is another number each time */
  readonly form?: Readonly<Record<string, string>>
  /** media type of what a GET answers; `text/html` by default, for a page */
  readonly type?: string
  /** the header; `no-store` by default */
  readonly cache?: string
  /** of its answer for who may see it; by default one that allows no frame around it and no style in it */
  readonly policy?: string
  /** It ends or changes who has signed in, or sends an email, of which each network may cause some in an hour. */
  readonly isOnce?: true
}

/** By method and path: `GET /p/:project/checks`. */
export type Fixtures = Readonly<Record<string, Fixture>>
