/** Status pages, one for each project that has saved one. */
import type { StatusPage } from '../../domain/status-page/status-page.ts'

export interface StatusPageReads {
  findStatusPage(projectId: string): Promise<StatusPage | null>
  /** @returns null also for a page that is not public */
  findPublicStatusPage(slug: string): Promise<StatusPage | null>
}

/** Changes that have an author: see `AuthoredWrites`. */
export interface StatusPageWrites {
  /**
   * @param decide what the page becomes; it gets null if the project has none yet. What it throws ends the change, and nothing is written
   * @throws Refusal `status-slug-taken` if the page of another project has its slug; `not-found` if there is no such project
   */
  changeStatusPage(projectId: string, decide: (page: StatusPage | null) => StatusPage): Promise<StatusPage>
}
