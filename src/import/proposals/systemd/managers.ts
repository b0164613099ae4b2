/** The managers of systemd: that of the system, and those of its users, which have units of their own (systemd.unit(5)). */
import { homeOf, isOfAllUsers, isOfUsers } from './places.ts'
import type { UnitFile } from './units.ts'

interface Manager {
  /** where its drop-ins go */
  readonly folder: string
  /** true: that of a user */
  readonly isOfUser: boolean
}

export interface ManagedFiles extends Manager {
  readonly files: readonly UnitFile[]
}

const SYSTEM: Manager = { folder: '/etc/systemd/system', isOfUser: false }

const managerOfUser = (folder: string): Manager => ({ folder, isOfUser: true })

/** The files of each manager. Units that all users have belong to each user whose folder is there. */
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
