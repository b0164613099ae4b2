/** Reads the advice for all projects that a person is allowed to see. */
import { type Person, type PersonActor, personInEach } from '../../domain/actor.ts'
import { type AdviceList, adviceBudget, readAdviceList } from './advice-list.ts'
import type { AdviceDeps } from './check-advice.ts'

export interface AdviceOfAll {
  /** one list per project, sorted by project name */
  readonly lists: readonly { readonly actor: PersonActor; readonly list: AdviceList }[]
  /** projects that were skipped because the page's budget was used up */
  readonly unread: readonly PersonActor[]
}

export async function readAdviceOfAll(deps: AdviceDeps, person: Person): Promise<AdviceOfAll> {
  const summaries = await deps.store.projects.listOfPerson(person.accountId, person.isAdministrator)
  const actors = personInEach(summaries, person).toSorted((a, b) =>
    a.project.name.localeCompare(b.project.name, 'en', { sensitivity: 'base', numeric: true }),
  )
  const budget = adviceBudget()
  const lists: { actor: PersonActor; list: AdviceList }[] = []
  for (const actor of actors) {
    if (budget.checks <= 0) break
    lists.push({ actor, list: await readAdviceList(deps, actor, budget) })
  }
  return { lists, unread: actors.slice(lists.length) }
}
