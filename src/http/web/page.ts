/**
 * The parts of a page. A page is a folder in `pages/`: views (data in, `Html` out), `Route`s, style sheets and live views. Its `index.ts`
 * exports all of them to the rest of the program as `page`, and `pages/index.ts` lists the page. Parts that several pages share are in
 * `parts/`. `context.ts` contains the data that every part needs, and `parts/toast.ts` contains the messages after a redirect.
 * `scripts/demo/pages.ts` takes a screenshot of the page, and `docs/pages.md` describes it. Services remove ping secrets from descriptions
 * and job output before readers see them (`withoutPingSecrets` in `domain/redaction.ts`).
 */
import type { AdminImport } from '../../import/engine/admin-import.ts'
import type { ServerDeps } from '../../services/common/deps.ts'
import type { NightBriefs } from '../../services/overview/night-briefs.ts'
import type { NightRows } from '../../services/overview/night-rows.ts'
import type { PastNights } from '../../services/overview/past-nights.ts'
import type { Backups } from '../../services/server/backups.ts'
import type { HttpDeps } from '../deps.ts'
import type { Fixtures } from './fixture.ts'
import type { LiveView } from './live/view.ts'
import type { AccountVisit, MenuPlace, ProjectVisit, Route } from './route.ts'
import type { TestLimit } from './test-limit.ts'

/** Dependencies of the pages. A handler passes all of them to a service, which picks the members that it needs. */
export type PageDeps = ServerDeps &
  Pick<HttpDeps, 'publicLimit' | 'longReads' | 'pings'> & {
    readonly adminImport: AdminImport
    /** null if the database is not a file */
    readonly backups: Backups | null
    /** limit of test messages, shared by all pages that send them */
    readonly tests: TestLimit
    /** shared by all readers */
    readonly nights: NightRows
    /** shared by all readers */
    readonly pastNights: PastNights
    /** shared by all readers */
    readonly nightBriefs: NightBriefs
  }

export interface Page {
  readonly routes: (deps: PageDeps) => readonly Route[]
  /** place of the page in the menu */
  readonly menu?: MenuPlace
  /** if the page has no place of its own, the place of the page that it belongs to */
  readonly under?: MenuPlace
  /** target of the Help link: a document and a heading in it, such as `pages#alerts`; the list of documents by default */
  readonly help?: string
  /** style sheets, in order; the common style sheets for phones come later and take precedence */
  readonly styles?: readonly string[]
  /** style sheets that come last, after the common ones for phones */
  readonly lastStyles?: readonly string[]
  /** live views of a page in a project, by the `view` parameter of the stream, as in `/p/<project>/live?view=checks` */
  readonly live?: Readonly<Record<string, (deps: PageDeps, visit: ProjectVisit) => LiveView | Promise<LiveView>>>
  /** live views of a page outside projects, as in `/live?view=wall` */
  readonly liveOfAll?: Readonly<Record<string, (deps: PageDeps, visit: AccountVisit) => WideView | Promise<WideView>>>
  /** test requests for each route of the page */
  readonly fixtures: Fixtures
}

/** A live view that covers several projects. */
export interface WideView {
  readonly view: LiveView
  /** projects whose checks the page shows; null for all that the reader may see */
  readonly projectIds: readonly string[] | null
}
