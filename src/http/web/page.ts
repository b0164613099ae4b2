/**
 * What a page is made of. It is a folder in `pages/`: views (data in, `Html` out), `Route`s, style sheets and what keeps it live. Its
 * `index.ts` gives the rest of the program all of that as `page`, and `pages/index.ts` lists it. What several pages show is in
 * `parts/`; `context.ts` is what its parts need besides their data; `parts/toast.ts` has the words after a redirect.
 * `scripts/demo/pages.ts` takes its screenshot, and `docs/pages.md` has its row and its key.
 *
 * A service shows readers descriptions and output of jobs without what pings: `withoutPingSecrets` in `domain/redaction.ts`.
 */
import type { ImportDesk } from '../../import/engine/desk.ts'
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

/** All that pages use. A handler hands it to services, which name their part of it. */
export type PageDeps = ServerDeps &
  Pick<HttpDeps, 'publicLimit' | 'longReads' | 'pings'> & {
    readonly importDesk: ImportDesk
    /** null: the database is no file */
    readonly backups: Backups | null
    /** one for all pages that send tests */
    readonly tests: TestLimit
    /** one for all readers */
    readonly nights: NightRows
    /** likewise */
    readonly pastNights: PastNights
    /** likewise */
    readonly nightBriefs: NightBriefs
  }

export interface Page {
  readonly routes: (deps: PageDeps) => readonly Route[]
  /** its place in the menu */
  readonly menu?: MenuPlace
  /** without one: the place of the page that it belongs to */
  readonly under?: MenuPlace
  /** Where Help in the menu leads: a document and a heading in it, `pages#alerts`; to the list of documents by default. */
  readonly help?: string
  /** Style sheets, in the order in which they count; those of phones count more. */
  readonly styles?: readonly string[]
  /** Style sheets that count more than those of phones. */
  readonly lastStyles?: readonly string[]
  /** Live views of a page of a project, by what its stream is asked for: `/p/<project>/live?view=checks`. */
  readonly live?: Readonly<Record<string, (deps: PageDeps, visit: ProjectVisit) => LiveView | Promise<LiveView>>>
  /** Live views of a page of no project: `/live?view=wall`. */
  readonly liveOfAll?: Readonly<Record<string, (deps: PageDeps, visit: AccountVisit) => WideView | Promise<WideView>>>
  /** for each of its routes */
  readonly fixtures: Fixtures
}

/** A live view of several projects. */
export interface WideView {
  readonly view: LiveView
  /** whose checks it shows; null: all that the reader may see */
  readonly projectIds: readonly string[] | null
}
