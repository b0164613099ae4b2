/** Closes a person's own account. */
import type { Person } from '../../domain/actor.ts'
import { personIn } from '../../domain/actor.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Closing } from '../../store/store.ts'
import { authorOf } from '../common/author.ts'
import type { Deps } from '../common/deps.ts'
import { deleteProject } from '../projects/project-deletion.ts'

export type { Closing } from '../../store/store.ts'

/** Returns what would be deleted along with the account, and what prevents its deletion. */
export function readClosing({ store }: Pick<Deps, 'store'>, { accountId }: Person): Promise<Closing> {
  return store.accounts.readClosing(accountId)
}

export function canClose({ isLastAdministrator, shared }: Closing): boolean {
  return !isLastAdministrator && shared.length === 0
}

/**
 * Deletes the person's projects that have no other members, and then the account. If the deletion is interrupted, the account still exists,
 * and the person can retry.
 * @throws Refusal `account-needed` while the person is the last administrator, or is the only owner of a project that has other members
 */
export async function closeAccount(
  deps: Pick<Deps, 'store' | 'now' | 'random' | 'eventLoop' | 'onPrunable'>,
  person: Person,
): Promise<void> {
  const closing = await readClosing(deps, person)
  requireClosable(closing)
  for (const project of closing.alone) {
    const owner = personIn(project, person, 'owner')
    // A person may have joined in the meantime. The invitations are removed first, so that nobody else can join while the project is
    // deleted.
    await deps.store.by(authorOf(deps, person)).invitations.endAll(project.id, (people) => {
      if (people > 1) requireClosable({ ...closing, shared: [project] })
    })
    if (owner) await deleteProject(deps, owner)
  }
  // The person may have become an owner in the meantime, so the transaction checks this again.
  await deps.store.by(authorOf(deps, person)).accounts.close(person.accountId, (now) => {
    requireClosable({ ...now, shared: [...now.shared, ...now.alone] })
  })
}

function requireClosable(closing: Closing): void {
  if (canClose(closing)) return
  const problems = [
    ...(closing.isLastAdministrator ? ['it is the last administrator'] : []),
    ...closing.shared.map(({ name }) => `"${name}" has no other owner who is not suspended`),
  ]
  throw new Refusal('account-needed', `the account is needed: ${problems.join(', ')}`, { problems })
}
