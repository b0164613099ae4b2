/** The types of pages: who may use a route, what its handler gets, and what it answers. */
import type { Account } from '../../domain/account/account.ts'
import type { Session } from '../../domain/account/session.ts'
import type { Person, PersonActor, Right } from '../../domain/actor.ts'
import type { Client } from '../client.ts'
import type { Form, FormLimit } from './form.ts'
import type { Href } from './href.ts'
import type { Html, HtmlValue } from './html.ts'
import type { IconName } from './parts/icons.ts'
import type { Done, ToastCode } from './parts/toast.ts'

/** Who is signed in. */
export interface Identity {
  readonly person: Person
  readonly account: Account
  /** null when a proxy says who it is */
  readonly session: Session | null
}

/** What a handler gets on a `public` route. */
export interface Visit {
  readonly request: Request
  /** without the path of SITE_ROOT; only its path and its query mean anything */
  readonly url: URL
  /** what the path's `:names` matched; '' for broken percent-encoding */
  readonly params: Readonly<Record<string, string>>
  /** empty for a GET, and on routes that accept any origin */
  readonly form: Form
  readonly client: Client & { readonly userAgent: string }
  /** whom a proxy names, as given: also who has no account yet; null: nobody, or no proxy signs people in */
  readonly remoteUser: string | null
  readonly site: PageSite
}

/** On a `visitor` route. */
export interface VisitorVisit extends Visit {
  /** null: nobody is signed in */
  readonly identity: Identity | null
}

/** On an `account` or `administrator` route. */
export interface AccountVisit extends Visit, Identity {}

/** On a `project` route. */
export interface ProjectVisit extends AccountVisit {
  readonly actor: PersonActor
}

export interface PageSite {
  readonly name: string
  readonly href: Href
}

type Access =
  /** anybody; who is signed in is not even read. `isUnlimited`: the rate limit of public pages does not count it */
  | { readonly access: 'public'; readonly isUnlimited?: true; readonly answer: Handler<Visit> }
  /** anybody, signed in or not */
  | { readonly access: 'visitor'; readonly answer: Handler<VisitorVisit> }
  /** who is signed in */
  | { readonly access: 'account'; readonly answer: Handler<AccountVisit> }
  | { readonly access: 'administrator'; readonly answer: Handler<AccountVisit> }
  /** members of the project whose slug is `:project` in the path */
  | { readonly access: 'project'; readonly right: Right; readonly answer: Handler<ProjectVisit> }

/** What a route does for whoever may use it. */
export type Handler<V extends Visit> = (visit: V) => PageAnswer | Promise<PageAnswer>

export type Route = Access &
  RouteRules & {
    /** a GET answers HEAD too */
    readonly method: 'GET' | 'POST'
    /** below SITE_ROOT, such as `/p/:project/settings` */
    readonly path: string
    /** the place in the menu that its pages belong to; `routes.ts` takes it from the `Page` */
    readonly menu?: MenuPlace | undefined
    /** where the documents explain its pages, likewise */
    readonly help?: string | undefined
  }

/** What else the door does, or leaves out, for a route. */
export interface RouteRules {
  readonly cache: Cache
  /**
   * True: who has a session and has not proved within the last half hour who it is does so first, at `/confirm`, and comes back to
   * the page of this path. A form that was sent is lost, so its page should be sensitive too. A function tells it of one visit.
   */
  readonly isSensitive?: true | ((visit: Visit) => boolean)
  /**
   * True: a POST from another origin is accepted, since email programs send it (RFC 8058). Its form is not read, because they
   * may send it as `multipart/form-data`, and the path says everything.
   */
  readonly acceptsAnyOrigin?: true
  /** True: the handler reads the body of a POST itself, which may be a large file; `form` is empty. */
  readonly readsBody?: true
  /** Of the form of a POST; {@link FORM_LIMIT} by default. */
  readonly formLimit?: FormLimit
  /**
   * True: pages are packed when the browser takes that. Only for long ones on which nothing is a secret: the length of a packed
   * page tells something about its text to whoever can have their own text put into it (BREACH).
   */
  readonly isPacked?: true
}

/** How long browsers and proxies may keep an answer; errors are never kept. */
export type Cache = 'no-store' | { readonly seconds: number; readonly isImmutable?: true }

export type PageAnswer =
  /** a page, and nothing else to say about it */
  | PageContent
  | {
      readonly kind: 'page'
      readonly page: PageContent
      /** what is sent in place of {@link LATER} in the page, while the browser reads */
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
      /** what the next page says was done */
      readonly done?: ToastCode | Done
      /** a value for `Set-Cookie` */
      readonly cookie?: string
    }
  /** 303 to another site */
  | {
      readonly kind: 'leave'
      /** a URL that this server was told by what it trusts */
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
  /** server-sent events, until the browser leaves or may not read them any more */
  | {
      readonly kind: 'stream'
      readonly events: AsyncIterable<StreamPart>
      /**
       * Asked beside whether the reader could open the route again; true by default.
       * @param now the reader as of now; null on a public route
       */
      readonly mayGoOn?: (now: Identity | null) => Promise<boolean>
    }
  /** a file that is made while the browser reads it; its headers include the type */
  | {
      readonly kind: 'download'
      /** each is made in a few milliseconds */
      readonly pieces: AsyncGenerator<Uint8Array>
      readonly headers: Readonly<Record<string, string>>
    }
  /** a file or a text; its headers include the type */
  | {
      readonly kind: 'file'
      /** a `Blob` of a file is sent as the client reads it; null: none, as 304 requires */
      readonly body: Uint8Array | Blob | string | null
      readonly status?: number
      readonly headers: Readonly<Record<string, string>>
    }

/** One message of a stream. */
export interface ServerEvent {
  /** its name; `message` by default */
  readonly event?: string
  /** one line: what the browser sends as `Last-Event-ID` when it opens the stream again */
  readonly id?: string
  /** may have several lines */
  readonly data: string
}

/** An event, or the bytes of some, as `eventBytes` makes them for many streams. */
export type StreamPart = ServerEvent | Uint8Array

/** What a page says; the layout puts it into a document. */
export type PageContent = FrameContent | GateContent | ReferenceContent | WallContent

interface Content {
  /** of the window, before project and site; also the heading, unless there is another */
  readonly title: string
  readonly heading?: HtmlValue
  /** below the heading */
  readonly intro?: HtmlValue
  readonly body: HtmlValue
}

/** A place in the menu. */
export interface MenuPlace {
  readonly text: string
  readonly icon: IconName
  /** after `g` on the keyboard */
  readonly key: string
  /** beginning with `/p/:project/` it is only in the menu of a project, unless it has a page of all projects */
  readonly path: string
  /** its page of all projects, for the menu outside of projects */
  readonly pathOfAll?: string
  /** the heading above it and its neighbours; those without one come first */
  readonly group?: 'Share' | 'Project' | 'Server'
  /** the least that the reader may do in the project; `read` by default */
  readonly right?: Right
  readonly isForAdministrators?: true
  /** in the tab bar of a phone, always or only outside of projects; others are behind "More" */
  readonly tab?: 'always' | 'outside'
  /** the number beside it: of checks that are down, of alerts that wait or failed, or of checks with advice */
  readonly tally?: 'down' | 'undelivered' | 'advised'
  /** apart from the others: as a field above them, or below them */
  readonly apart?: 'field' | 'foot'
}

/** With the menu; only for people who are signed in. */
export interface FrameContent extends Content {
  readonly layout: 'frame'
  /** what the page is about, such as a check; follows the title of the window */
  readonly about?: string
  /** where Help in the menu leads, if not where the `Page` says */
  readonly help?: string
  /** links to the pages above this one, outermost first */
  readonly crumbs?: readonly { readonly path: string; readonly text: string }[]
  /** the stream that keeps the page up to date, such as `/p/books/live?view=checks`; by default one with the numbers of the menu */
  readonly live?: string
  /** buttons beside the heading */
  readonly actions?: HtmlValue
  /** true: no wider than a text or a form */
  readonly isNarrow?: boolean
}

/** One column in the middle: sign-in, set-up, errors, links from emails. */
export interface GateContent extends Content {
  readonly layout: 'gate'
  /** all steps of a set-up, and the index of the current one */
  readonly steps?: { readonly names: readonly string[]; readonly current: number }
  /** beside the column, with its name */
  readonly aside?: { readonly name: string; readonly body: HtmlValue }
}

/** A long text for reading, with its own style sheet. */
export interface ReferenceContent extends Content {
  readonly layout: 'reference'
  /** list of other texts: beside this one, on a phone above it */
  readonly beside?: Html
}

/** The whole window of a screen that everybody sees. */
export interface WallContent extends Content {
  readonly layout: 'wall'
  /** the project, if it is one; follows the title of the window */
  readonly about?: string
  /** in place of what the reader has chosen */
  readonly theme?: 'dark' | 'light'
  /** the stream that keeps it up to date */
  readonly live?: string
  /** without a stream: where its script gets the section of a key */
  readonly part?: string
  /** the time of day; the script keeps it */
  readonly clock: string
}
