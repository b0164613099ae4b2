/** Groups files by systemd manager: the system manager, and the managers of users. A user's manager has its own units (systemd.unit(5)). */
import { homeOf, isOfAllUsers, isOfUsers } from './places.ts'
import type { UnitFile } from './units.ts'

interface Manager {
  /** directory for the manager's drop-ins */
  readonly folder: string
  /** true for the manager of a user */
  readonly isOfUser: boolean
}

export interface ManagedFiles extends Manager {
  readonly files: readonly UnitFile[]
}

const SYSTEM: Manager = { folder: '/etc/systemd/system', isOfUser: false }

const managerOfUser = (folder: string): Manager => ({ folder, isOfUser: true })

/** Groups files by manager. Units for all users are added to each user whose directory exists. */
export function byManager(files: readonly UnitFile[]): readonly ManagedFiles[] {
  const { system = [], users = [] } = Object.groupBy(files, ({ path }) => (isOfUsers(path) ? 'users' : 'system'))
  return [...(system.length > 0 ? [{ ...SYSTEM, files: system }] : []), ...byUser(users)]
}

function byUser(files: readonly UnitFile[]): readonly ManagedFiles[] {
  const homes = Map.groupBy(files, ({ path }) => homeOf(path))
  const shared = homes.get(null) ?? []
  homes.delete(null)
  if (homes.size > 0)
    return [...homes].map(([home, own]) => ({
      ...managerOfUser(`${home}.config/systemd/user`),
      files: [...own, ...shared],
    }))
  if (shared.length === 0) return []
  const isForAll = shared.some(({ path }) => isOfAllUsers(path))
  return [{ ...managerOfUser(isForAll ? '/etc/systemd/user' : '~/.config/systemd/user'), files: shared }]
}
