/**
 * The parts that make up a page. A page is a directory in `pages/`. It contains views, which render data as `Html`, and `Route`s, style
 * sheets and live views. Its `index.ts` exports all of them as `page`, and `pages/index.ts` lists the page. `parts/` contains components
 * that several pages share. `context.ts` contains the data that every component needs, and `parts/toast.ts` contains the messages that
 * pages show after a redirect. `scripts/demo/pages.ts` takes a screenshot of the page, and `docs/pages.md` describes it. Services remove
 * ping secrets from descriptions and job output before readers see them (`withoutPingSecrets` in `domain/redaction.ts`).
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

/** Dependencies of the pages. A handler passes all of them to a service, which uses the members that it needs. */
export type PageDeps = ServerDeps &
  Pick<HttpDeps, 'publicLimit' | 'longReads' | 'pings'> & {
    readonly adminImport: AdminImport
    /** null if the database is not a file */
    readonly backups: Backups | null
    /** limit for test messages; all pages that send test messages share it */
    readonly tests: TestLimit
    /** cached rows of nights, which all readers share */
    readonly nights: NightRows
    /** cached past nights, which all readers share */
    readonly pastNights: PastNights
    /** cached summaries of nights, which all readers share */
    readonly nightBriefs: NightBriefs
  }

export interface Page {
  readonly routes: (deps: PageDeps) => readonly Route[]
  /** the page's place in the menu */
  readonly menu?: MenuPlace
  /** menu place of the page that this page belongs to, for a page without a place of its own */
  readonly under?: MenuPlace
  /** target of the Help link: a document and one of its headings, such as `pages#alerts`; by default, the list of documents */
  readonly help?: string
  /** style sheets, in loading order. The common style sheets for phones are loaded later and take precedence */
  readonly styles?: readonly string[]
  /** style sheets that are loaded last, after the common ones for phones */
  readonly lastStyles?: readonly string[]
  /** live views for a project page, by the stream's `view` parameter, as in `/p/<project>/live?view=checks` */
  readonly live?: Readonly<Record<string, (deps: PageDeps, visit: ProjectVisit) => LiveView | Promise<LiveView>>>
  /** live views for a page outside projects, as in `/live?view=wall` */
  readonly liveOfAll?: Readonly<Record<string, (deps: PageDeps, visit: AccountVisit) => WideView | Promise<WideView>>>
  /** test requests for each of the page's routes */
  readonly fixtures: Fixtures
}

/** A live view that covers more than one project. */
export interface WideView {
  readonly view: LiveView
  /** projects whose checks the page shows; null for all projects that the reader is allowed to see */
  readonly projectIds: readonly string[] | null
}
