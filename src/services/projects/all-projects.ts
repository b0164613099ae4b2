/** Lists all projects on the server, for administrators. */
import { type Operator, type Person, requireAdministrator } from '../../domain/actor.ts'
import { isNamed } from '../../domain/alert/delivery-list.ts'
import type { Project } from '../../domain/project.ts'
import type { ProjectContents } from '../../store/store.ts'
import type { Deps } from '../common/deps.ts'

export interface ListedProject {
  readonly project: Project
  readonly contents: ProjectContents
  /** email addresses of the owners; empty if the project has no owner */
  readonly owners: readonly string[]
}

export interface ProjectPage {
  readonly projects: readonly ListedProject[]
  /** offset of the next page; null if this is the last page */
  readonly next: number | null
}

const PAGE = 50

/**
 * Reads a page of projects, sorted by name.
 * @param text text that the name must contain; '' for all projects
 * @param from number of projects to skip
 */
export async function readProjectPage(
  { store, eventLoop }: Pick<Deps, 'store' | 'eventLoop'>,
  by: Person | Operator,
  text: string,
  from: number,
): Promise<ProjectPage> {
  requireAdministrator(by)
  const all = await store.projects.list()
  const found = all.filter(({ name }) => isNamed([name], text)).toSorted(byName)
  const projects: ListedProject[] = []
  for (const project of found.slice(from, from + PAGE)) {
    const contents = await eventLoop.step(() => store.projects.countContents(project.id))
    const members = await store.team.listMembers(project.id)
    const owners = members.filter(({ role }) => role === 'owner').map(({ email }) => email)
    projects.push({ project, contents, owners })
  }
  return { projects, next: found.length > from + PAGE ? from + PAGE : null }
}

function byName(a: Project, b: Project): number {
  return a.name < b.name ? -1 : 1
}
