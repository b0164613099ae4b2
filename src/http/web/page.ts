/**
 * The parts of a page. A page is a folder in `pages/`: views (data in, `Html` out), `Route`s, style sheets and live views. Its `index.ts`
 * exports all of that to the rest of the program as `page`, and `pages/index.ts` lists it. Parts that several pages show are in `parts/`;
 * `context.ts` has the data that every part needs; `parts/toast.ts` has the messages after a redirect. `scripts/demo/pages.ts` takes its
 * screenshot, and `docs/pages.md` has its row and its key.
 *
 * A service shows readers descriptions and output of jobs without ping secrets: `withoutPingSecrets` in `domain/redaction.ts`.
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

/** Everything that pages use. A handler passes it to services, which pick the members that they need. */
export type PageDeps = ServerDeps &
  Pick<HttpDeps, 'publicLimit' | 'longReads' | 'pings'> & {
    readonly adminImport: AdminImport
    /** null: the database is not a file */
    readonly backups: Backups | null
    /** shared by all pages that send tests */
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
  /** its place in the menu */
  readonly menu?: MenuPlace
  /** for a page without a place of its own: the place of the page that it belongs to */
  readonly under?: MenuPlace
  /** target of Help in the menu: a document and a heading in it, `pages#alerts`; the list of documents by default */
  readonly help?: string
  /** style sheets, in order of precedence; those for phones take precedence over them */
  readonly styles?: readonly string[]
  /** style sheets that take precedence over those for phones */
  readonly lastStyles?: readonly string[]
  /** live views of a page of a project, by the `view` of its stream: `/p/<project>/live?view=checks` */
  readonly live?: Readonly<Record<string, (deps: PageDeps, visit: ProjectVisit) => LiveView | Promise<LiveView>>>
  /** live views of a page outside projects: `/live?view=wall` */
  readonly liveOfAll?: Readonly<Record<string, (deps: PageDeps, visit: AccountVisit) => WideView | Promise<WideView>>>
  /** for each of its routes */
  readonly fixtures: Fixtures
}

/** A live view of several projects. */
export interface WideView {
  readonly view: LiveView
  /** projects whose checks it shows; null: all that the reader may see */
  readonly projectIds: readonly string[] | null
}
