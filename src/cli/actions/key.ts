/** `overdue key …` */
import { operatorIn } from '../../domain/actor.ts'
import type { StoredKey } from '../../domain/project.ts'
import { isoSeconds } from '../../lib/time.ts'
import { createKey, listKeys, revokeKey } from '../../services/keys.ts'
import { getProject } from '../../services/projects.ts'
import type { Context } from '../command.ts'

const represent = ({ kind, hint, createdAt, name, lastUsedAt }: StoredKey) => ({
  kind,
  name,
  begins: hint,
  created: isoSeconds(createdAt),
  last_used: lastUsedAt && isoSeconds(lastUsedAt),
})

/** `overdue key create` */
export async function create({ openDeps, positionals: [idOrName = ''], values, print }: Context): Promise<undefined> {
  const deps = await openDeps()
  const project = operatorIn(await getProject(deps, idOrName))
  const { kind, key } = await createKey(deps, project, String(values.kind), String(values.name))
  print({ kind, key }, key)
}

/** `overdue key list` */
export async function list({ openDeps, positionals: [idOrName = ''], print }: Context): Promise<undefined> {
  const deps = await openDeps()
  const keys = await listKeys(deps, operatorIn(await getProject(deps, idOrName)))
  const rows = keys.map(({ hint, kind, createdAt, lastUsedAt, name }) => [hint, kind, createdAt, lastUsedAt, name])
  print(keys.map(represent), [{ rows: [['BEGINS', 'KIND', 'CREATED', 'LAST USED', 'NAME'], ...rows] }])
}

/** `overdue key revoke` */
export async function revoke({ openDeps, positionals: [idOrName = '', key = ''], print }: Context): Promise<undefined> {
  const deps = await openDeps()
  const revoked = await revokeKey(deps, operatorIn(await getProject(deps, idOrName)), key)
  print(represent(revoked), `revoked the ${revoked.kind} key ${revoked.hint}…`)
}
