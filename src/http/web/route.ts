/** Types for pages: access to a route, its handler's input, and its responses. */
import type { Account } from '../../domain/account/account.ts'
import type { Session } from '../../domain/account/session.ts'
import type { Person, PersonActor, Right } from '../../domain/actor.ts'
import type { Client } from '../client.ts'
import type { Form, FormLimit } from './form.ts'
import type { Href } from './href.ts'
import type { Html, HtmlValue } from './html.ts'
import type { IconName } from './parts/icons.ts'
import type { Done, ToastCode } from './parts/toast.ts'

/** A signed-in user. */
export interface Identity {
  readonly person: Person
  readonly account: Account
  /** null if the user is signed in by a proxy */
  readonly session: Session | null
}

/** The input of a handler for a `public` route. */
export interface Visit {
  readonly request: Request
  /** URL without SITE_ROOT's path; only its path and query are meaningful */
  readonly url: URL
  /** values of the `:names` in the path; '' if the percent-encoding is invalid */
  readonly params: Readonly<Record<string, string>>
  /** the submitted form; empty for a GET, and for routes that accept any origin */
  readonly form: Form
  readonly client: Client & { readonly userAgent: string }
  /** the user name that a proxy sent, whether or not the user has an account; null if the proxy sent none, or if no proxy signs users in */
  readonly remoteUser: string | null
  readonly site: PageSite
}

/** The input of a handler for a `visitor` route. */
export interface VisitorVisit extends Visit {
  /** null if nobody is signed in */
  readonly identity: Identity | null
}

/** The input of a handler for an `account` or `administrator` route. */
export interface AccountVisit extends Visit, Identity {}

/** The input of a handler for a `project` route. */
export interface ProjectVisit extends AccountVisit {
  readonly actor: PersonActor
}

export interface PageSite {
  readonly name: string
  readonly href: Href
}

type Access =
  /**
   * Everyone may use the route, and the server does not even read the session. With `isUnlimited`, requests do not count towards the rate
   * limit for public pages.
   */
  | { readonly access: 'public'; readonly isUnlimited?: true; readonly answer: Handler<Visit> }
  /** Everyone may use the route, whether signed in or not. */
  | { readonly access: 'visitor'; readonly answer: Handler<VisitorVisit> }
  /** Signed-in users may use the route. */
  | { readonly access: 'account'; readonly answer: Handler<AccountVisit> }
  | { readonly access: 'administrator'; readonly answer: Handler<AccountVisit> }
  /** Project members may use the route. `:project` in the path is the project's slug. */
  | { readonly access: 'project'; readonly right: Right; readonly answer: Handler<ProjectVisit> }

/** The function that answers a request, once access has been checked. */
export type Handler<V extends Visit> = (visit: V) => PageAnswer | Promise<PageAnswer>

export type Route = Access &
  RouteRules & {
    /** the route's method; a GET route also answers HEAD */
    readonly method: 'GET' | 'POST'
    /** path below SITE_ROOT, such as `/p/:project/settings` */
    readonly path: string
    /** place in the menu that the route's pages belong to; `routes.ts` copies it from the `Page` */
    readonly menu?: MenuPlace | undefined
    /** section of the documentation that explains the route's pages; `routes.ts` copies it from the `Page` */
    readonly help?: string | undefined
  }

/** A route's additional access rules. */
export interface RouteRules {
  readonly cache: Cache
  /**
   * True if users must have proved their identity within the last half hour. Other users are redirected to `/confirm`, and then back to
   * the page with this path. A submitted form is lost, so the form's page should also be sensitive. A function decides for each visit.
   */
  readonly isSensitive?: true | ((visit: Visit) => boolean)
  /**
   * True if the route accepts a POST from any origin, because email programs send it (RFC 8058). The server does not read the form, because
   * email programs may send `multipart/form-data`, and the path contains all data.
   */
  readonly acceptsAnyOrigin?: true
  /** True if the handler itself reads the body of a POST, because the body may contain a large file. `form` is then empty. */
  readonly readsBody?: true
  /** Size limit for the form in a POST; {@link FORM_LIMIT} by default. */
  readonly formLimit?: FormLimit
  /**
   * True if pages are compressed for browsers that accept compression. Use it only for long pages without secrets: if attackers can insert
   * text into a page, the compressed length reveals other parts of the page (BREACH).
   */
  readonly isPacked?: true
}

/** How long browsers and proxies may cache a response. Errors are never cached. */
export type Cache = 'no-store' | { readonly seconds: number; readonly isImmutable?: true }

export type PageAnswer =
  /** a page without other settings */
  | PageContent
  | {
      readonly kind: 'page'
      readonly page: PageContent
      /** content that replaces {@link LATER} in the page, streamed as the browser reads it */
      readonly later?: AsyncGenerator<Html>
      /** status code; 200 by default */
      readonly status?: number
      /** a value for `Set-Cookie` */
      readonly cookie?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** parts of a page that the script inserts, see `browser/forms/preview.ts` */
  | { readonly kind: 'fragment'; readonly fragment: Html }
  /** 303: the browser loads another page, and reloading that page does not repeat the action */
  | {
      readonly kind: 'redirect'
      /** a local path, such as `/projects?q=x` */
      readonly to: string
      /** message about the action, which the next page shows */
      readonly done?: ToastCode | Done
      /** a value for `Set-Cookie` */
      readonly cookie?: string
    }
  /** 303: the browser loads a page on another site */
  | {
      readonly kind: 'leave'
      /** a URL from a trusted source */
      readonly to: string
      /** a value for `Set-Cookie` */
      readonly cookie: string
    }
  /** 307: the browser resubmits the form to another path; reloading then resubmits it only to that path */
  | {
      readonly kind: 'resend'
      /** a local path */
      readonly to: string
    }
  /** server-sent events, until the browser disconnects or the reader loses access */
  | {
      readonly kind: 'stream'
      readonly events: AsyncIterable<StreamPart>
      /**
       * Returns whether the stream may continue. Called whenever the reader's access to the route is rechecked; by default, the stream
       * continues.
       * @param now the reader with current rights; null on a public route
       */
      readonly mayGoOn?: (now: Identity | null) => Promise<boolean>
    }
  /** a file that is generated while the browser reads it; the headers include its type */
  | {
      readonly kind: 'download'
      /** pieces of the file; creating each piece takes a few milliseconds */
      readonly pieces: AsyncGenerator<Uint8Array>
      readonly headers: Readonly<Record<string, string>>
    }
  /** a file or a string; the headers include its type */
  | {
      readonly kind: 'file'
      /** content; a file's `Blob` is sent as the client reads it; null for no body, as with status 304 */
      readonly body: Uint8Array | Blob | string | null
      readonly status?: number
      readonly headers: Readonly<Record<string, string>>
    }

/** A message in a stream of server-sent events. */
export interface ServerEvent {
  /** the event's name; `message` by default */
  readonly event?: string
  /** the event's id, on one line; the browser sends it as `Last-Event-ID` when it reopens the stream */
  readonly id?: string
  /** the event's data, which may have several lines */
  readonly data: string
}

/** An event, or the bytes of several events, which `eventBytes` encodes once for many streams. */
export type StreamPart = ServerEvent | Uint8Array

/** The content of a page, which a layout puts into a document. */
export type PageContent = FrameContent | GateContent | ReferenceContent | WallContent

interface Content {
  /** the window's title, before the project and the site; also the heading, unless `heading` is set */
  readonly title: string
  readonly heading?: HtmlValue
  /** text below the heading */
  readonly intro?: HtmlValue
  readonly body: HtmlValue
}

/** A place in the menu. */
export interface MenuPlace {
  readonly text: string
  readonly icon: IconName
  /** keyboard shortcut, pressed after `g` */
  readonly key: string
  /** path of the page; if it starts with `/p/:project/`, the place is only in a project's menu, unless `pathOfAll` is set */
  readonly path: string
  /** path of the same page for all projects, used in the menu outside projects */
  readonly pathOfAll?: string
  /** the group's heading; places without a group are listed first */
  readonly group?: 'Share' | 'Project' | 'Server'
  /** right that the reader needs in the project; `read` by default */
  readonly right?: Right
  readonly isForAdministrators?: true
  /** when the tab bar on phones contains the place: always, or only outside projects; all other places are behind "More" */
  readonly tab?: 'always' | 'outside'
  /** number shown next to the place: down checks, alerts that are waiting or failed, or checks with advice */
  readonly tally?: 'down' | 'undelivered' | 'advised'
  /** set for a place that is separate from the others: `field` for a field above them, `foot` for a link below them */
  readonly apart?: 'field' | 'foot'
}

/** Content of a page with the menu, which only signed-in users see. */
export interface FrameContent extends Content {
  readonly layout: 'frame'
  /** the page's subject, such as a check; appended to the window's title */
  readonly about?: string
  /** target of the Help link; by default, the target in the `Page` */
  readonly help?: string
  /** breadcrumb links to the parent pages, outermost first */
  readonly crumbs?: readonly { readonly path: string; readonly text: string }[]
  /**
   * path of the stream that keeps the page up to date, such as `/p/books/live?view=checks`; by default, a stream with only the numbers in
   * the menu
   */
  readonly live?: string
  /** buttons next to the heading */
  readonly actions?: HtmlValue
  /** true if the page should be no wider than a column of text or a form */
  readonly isNarrow?: boolean
}

/** Content of a page with a single centered column: sign-in, set-up, errors, and links from emails. */
export interface GateContent extends Content {
  readonly layout: 'gate'
  /** the steps of a set-up, and the index of the current step */
  readonly steps?: { readonly names: readonly string[]; readonly current: number }
  /** content next to the column, and its heading */
  readonly aside?: { readonly name: string; readonly body: HtmlValue }
}

/** Content of a page for reading a long text. The page has its own style sheet. */
export interface ReferenceContent extends Content {
  readonly layout: 'reference'
  /** list of other texts, next to this text; on a phone, above it */
  readonly beside?: Html
}

/** Content of a wall display, which fills the window. */
export interface WallContent extends Content {
  readonly layout: 'wall'
  /** the project's name, if the wall display shows only one project; appended to the window's title */
  readonly about?: string
  /** theme that overrides the reader's choice */
  readonly theme?: 'dark' | 'light'
  /** path of the stream that keeps the wall display up to date */
  readonly live?: string
  /** path that the script fetches a key's section from, if there is no stream */
  readonly part?: string
  /** current time of day, which the script updates */
  readonly clock: string
}
