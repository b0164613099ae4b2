/** Implements the `overdue key` commands. */
import { operatorIn } from '../../domain/actor.ts'
import { type ListedKey, USED_DAYS } from '../../domain/project.ts'
import { isoSeconds } from '../../lib/time.ts'
import { createKey, listKeys, revokeKey } from '../../services/projects/keys.ts'
import { getProject } from '../../services/projects/projects.ts'
import type { Context } from '../command.ts'

const represent = ({ kind, hint, createdAt, name, lastUsedAt, usedBy }: ListedKey) => ({
  kind,
  name,
  begins: hint,
  created: isoSeconds(createdAt),
  last_used: lastUsedAt && isoSeconds(lastUsedAt),
  used_by: usedBy,
})

/** Returns text such as `2 of 6 checks` for a ping key; null for an API key. */
const usedWords = ({ usedBy }: ListedKey) =>
  usedBy && `${usedBy.checks} of ${usedBy.of} ${usedBy.of === 1 ? 'check' : 'checks'}`

/** Runs `overdue key create`. */
export async function create({ openDeps, argument: idOrName, values, print }: Context): Promise<undefined> {
  const deps = await openDeps()
  const project = operatorIn(await getProject(deps, idOrName))
  const { kind, key } = await createKey(deps, project, String(values.kind), String(values.name))
  print({ kind, key }, key)
}

/** Runs `overdue key list`. */
export async function list({ openDeps, argument: idOrName, print }: Context): Promise<undefined> {
  const deps = await openDeps()
  const keys = await listKeys(deps, operatorIn(await getProject(deps, idOrName)))
  const heading = ['BEGINS', 'KIND', 'CREATED', 'LAST USED', `LAST ${USED_DAYS} DAYS`, 'NAME']
  const rows = keys.map((key) => [
    key.hint,
    key.kind,
    key.createdAt,
    key.lastUsedAt,
    usedWords(key),
    { name: key.name },
  ])
  print(keys.map(represent), [{ rows: [heading, ...rows] }])
}

/** Runs `overdue key revoke`. */
export async function revoke({ openDeps, positionals: [idOrName = '', key = ''], print }: Context): Promise<undefined> {
  const deps = await openDeps()
  const revoked = await revokeKey(deps, operatorIn(await getProject(deps, idOrName)), key)
  print(represent(revoked), `revoked the ${revoked.kind} key ${revoked.hint}…`)
}
