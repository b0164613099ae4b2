/** The types of pages: access to a route, the input of its handler, and its answers. */
import type { Account } from '../../domain/account/account.ts'
import type { Session } from '../../domain/account/session.ts'
import type { Person, PersonActor, Right } from '../../domain/actor.ts'
import type { Client } from '../client.ts'
import type { Form, FormLimit } from './form.ts'
import type { Href } from './href.ts'
import type { Html, HtmlValue } from './html.ts'
import type { IconName } from './parts/icons.ts'
import type { Done, ToastCode } from './parts/toast.ts'

/** A signed-in person. */
export interface Identity {
  readonly person: Person
  readonly account: Account
  /** null if a proxy signs the person in */
  readonly session: Session | null
}

/** The input of a handler on a `public` route. */
export interface Visit {
  readonly request: Request
  /** without the path of SITE_ROOT; only path and query are meaningful */
  readonly url: URL
  /** values of the path's `:names`; '' for broken percent-encoding */
  readonly params: Readonly<Record<string, string>>
  /** empty for a GET, and on routes that accept any origin */
  readonly form: Form
  readonly client: Client & { readonly userAgent: string }
  /** the person whom a proxy names, with or without an account; null: nobody, or no proxy signs people in */
  readonly remoteUser: string | null
  readonly site: PageSite
}

/** The input of a handler on a `visitor` route. */
export interface VisitorVisit extends Visit {
  /** null: nobody is signed in */
  readonly identity: Identity | null
}

/** The input of a handler on an `account` or `administrator` route. */
export interface AccountVisit extends Visit, Identity {}

/** The input of a handler on a `project` route. */
export interface ProjectVisit extends AccountVisit {
  readonly actor: PersonActor
}

export interface PageSite {
  readonly name: string
  readonly href: Href
}

type Access =
  /** everybody; the session is not even read. `isUnlimited`: requests don't count for the rate limit of public pages */
  | { readonly access: 'public'; readonly isUnlimited?: true; readonly answer: Handler<Visit> }
  /** everybody, signed in or not */
  | { readonly access: 'visitor'; readonly answer: Handler<VisitorVisit> }
  /** signed-in people */
  | { readonly access: 'account'; readonly answer: Handler<AccountVisit> }
  | { readonly access: 'administrator'; readonly answer: Handler<AccountVisit> }
  /** members of the project whose slug is `:project` in the path */
  | { readonly access: 'project'; readonly right: Right; readonly answer: Handler<ProjectVisit> }

/** The work of a route for people who may use it. */
export type Handler<V extends Visit> = (visit: V) => PageAnswer | Promise<PageAnswer>

export type Route = Access &
  RouteRules & {
    /** a GET answers HEAD too */
    readonly method: 'GET' | 'POST'
    /** path below SITE_ROOT, such as `/p/:project/settings` */
    readonly path: string
    /** the place in the menu that its pages belong to; `routes.ts` takes it from the `Page` */
    readonly menu?: MenuPlace | undefined
    /** the place in the documents that explains its pages; `routes.ts` takes it from the `Page` */
    readonly help?: string | undefined
  }

/** Further rules of the door for a route. */
export interface RouteRules {
  readonly cache: Cache
  /**
   * True: a person who has a session but has not proved their identity within the last half hour does so first, at `/confirm`, and returns
   * to the page of this path. A form that was sent is lost, so its page should be sensitive too. A function decides for one visit.
   */
  readonly isSensitive?: true | ((visit: Visit) => boolean)
  /**
   * True: a POST from another origin is accepted, since email programs send it (RFC 8058). Its form is not read, because they may send it
   * as `multipart/form-data`, and the path contains everything.
   */
  readonly acceptsAnyOrigin?: true
  /** True: the handler reads the body of a POST itself, which may be a large file; `form` is empty. */
  readonly readsBody?: true
  /** Limit of the form of a POST; {@link FORM_LIMIT} by default. */
  readonly formLimit?: FormLimit
  /**
   * True: pages are compressed if the browser accepts that. Only for long ones without secrets: the length of a compressed page reveals
   * part of its text to anyone who can have their own text put into it (BREACH).
   */
  readonly isPacked?: true
}

/** Caching of an answer by browsers and proxies. Errors are never cached. */
export type Cache = 'no-store' | { readonly seconds: number; readonly isImmutable?: true }

export type PageAnswer =
  /** a page without further settings */
  | PageContent
  | {
      readonly kind: 'page'
      readonly page: PageContent
      /** content that replaces {@link LATER} in the page, sent while the browser reads */
      readonly later?: AsyncGenerator<Html>
      /** 200 by default */
      readonly status?: number
      /** a value for `Set-Cookie` */
      readonly cookie?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** parts of a page, which the script puts into their places: see `browser/forms/preview.ts` */
  | { readonly kind: 'fragment'; readonly fragment: Html }
  /** 303: the browser reads the other page, and a reload repeats nothing */
  | {
      readonly kind: 'redirect'
      /** a local path, such as `/projects?q=x` */
      readonly to: string
      /** message of the next page about the action */
      readonly done?: ToastCode | Done
      /** a value for `Set-Cookie` */
      readonly cookie?: string
    }
  /** 303 to another site */
  | {
      readonly kind: 'leave'
      /** a URL from a source that this server trusts */
      readonly to: string
      /** a value for `Set-Cookie` */
      readonly cookie: string
    }
  /** 307: the browser sends the same form to another path, and a reload sends it only there */
  | {
      readonly kind: 'resend'
      /** a local path */
      readonly to: string
    }
  /** server-sent events, until the browser disconnects or may not read them any more */
  | {
      readonly kind: 'stream'
      readonly events: AsyncIterable<StreamPart>
      /**
       * Called when the reader's access to the route is checked again; true by default.
       * @param now the reader as of now; null on a public route
       */
      readonly mayGoOn?: (now: Identity | null) => Promise<boolean>
    }
  /** a file that is created while the browser reads it; its headers include the type */
  | {
      readonly kind: 'download'
      /** the pieces, each created in a few milliseconds */
      readonly pieces: AsyncGenerator<Uint8Array>
      readonly headers: Readonly<Record<string, string>>
    }
  /** a file or a text; its headers include the type */
  | {
      readonly kind: 'file'
      /** a `Blob` of a file is sent as the client reads it; null: no body, as 304 requires */
      readonly body: Uint8Array | Blob | string | null
      readonly status?: number
      readonly headers: Readonly<Record<string, string>>
    }

/** A message of a stream. */
export interface ServerEvent {
  /** its name; `message` by default */
  readonly event?: string
  /** one line: the browser sends it as `Last-Event-ID` when it opens the stream again */
  readonly id?: string
  /** may have several lines */
  readonly data: string
}

/** An event, or the bytes of several events, as `eventBytes` builds them for many streams. */
export type StreamPart = ServerEvent | Uint8Array

/** The content of a page; the layout puts it into a document. */
export type PageContent = FrameContent | GateContent | ReferenceContent | WallContent

interface Content {
  /** title of the window, before project and site; also the heading, unless there is another */
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
  /** pressed after `g` on the keyboard */
  readonly key: string
  /** a path that begins with `/p/:project/` is only in the menu of a project, unless the place has a page of all projects */
  readonly path: string
  /** page of all projects, for the menu outside of projects */
  readonly pathOfAll?: string
  /** the heading above a group of places; places without one are listed first */
  readonly group?: 'Share' | 'Project' | 'Server'
  /** the right that the reader needs in the project; `read` by default */
  readonly right?: Right
  readonly isForAdministrators?: true
  /** whether the tab bar of a phone has it, always or only outside of projects; others are behind "More" */
  readonly tab?: 'always' | 'outside'
  /** the number next to it: of checks that are down, of alerts that wait or failed, or of checks with advice */
  readonly tally?: 'down' | 'undelivered' | 'advised'
  /** apart from the other places: as a field above them, or below them */
  readonly apart?: 'field' | 'foot'
}

/** Content of a page with the menu; only for signed-in people. */
export interface FrameContent extends Content {
  readonly layout: 'frame'
  /** subject of the page, such as a check; follows the title of the window */
  readonly about?: string
  /** target of Help in the menu; the `Page`'s by default */
  readonly help?: string
  /** links to the pages above this one, outermost first */
  readonly crumbs?: readonly { readonly path: string; readonly text: string }[]
  /** the stream that keeps the page up to date, such as `/p/books/live?view=checks`; by default one with the numbers of the menu */
  readonly live?: string
  /** buttons next to the heading */
  readonly actions?: HtmlValue
  /** true: no wider than a text or a form */
  readonly isNarrow?: boolean
}

/** Content of a page with one column in the middle: sign-in, set-up, errors, links from emails. */
export interface GateContent extends Content {
  readonly layout: 'gate'
  /** all steps of a set-up, and the index of the current one */
  readonly steps?: { readonly names: readonly string[]; readonly current: number }
  /** content next to the column, with its name */
  readonly aside?: { readonly name: string; readonly body: HtmlValue }
}

/** Content of a long text for reading, with its own style sheet. */
export interface ReferenceContent extends Content {
  readonly layout: 'reference'
  /** list of other texts: next to this one, on a phone above it */
  readonly beside?: Html
}

/** Content that fills the window of a public screen. */
export interface WallContent extends Content {
  readonly layout: 'wall'
  /** the project, if the wall shows only one; follows the title of the window */
  readonly about?: string
  /** theme that overrides the reader's choice */
  readonly theme?: 'dark' | 'light'
  /** the stream that keeps the wall up to date */
  readonly live?: string
  /** path at which the script gets the section of a key, if there is no stream */
  readonly part?: string
  /** the time of day, which the script updates */
  readonly clock: string
}
