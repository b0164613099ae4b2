/** `overdue key …` */
import { operatorIn } from '../../domain/actor.ts'
import { KEY_KINDS, type StoredKey } from '../../domain/project.ts'
import { isoSeconds } from '../../lib/time.ts'
import { createKey, listKeys, revokeKey } from '../../services/keys.ts'
import { getProject } from '../../services/projects.ts'
import type { Command } from '../command.ts'

const represent = ({ kind, hint, createdAt, name, lastUsedAt }: StoredKey) => ({
  kind,
  name,
  begins: hint,
  created: isoSeconds(createdAt),
  last_used: lastUsedAt && isoSeconds(lastUsedAt),
})

export const keyCommands: readonly Command[] = [
  {
    words: 'key create',
    takes: ['PROJECT'],
    usage: '[--kind read-write|read-only|ping] [--name NAME]',
    summary: 'create another key (shown once)',
    details: 'The default kind is read-write. The name says what the key is for. The other keys stay valid.',
    example: 'overdue key create Default --kind read-only --name wall',
    options: {
      kind: { type: 'string', default: 'read-write', choices: KEY_KINDS },
      name: { type: 'string', default: '' },
    },
    async run({ openDeps, positionals: [idOrName = ''], values, print }) {
      const deps = await openDeps()
      const project = operatorIn(await getProject(deps, idOrName))
      const { kind, key } = await createKey(deps, project, String(values.kind), String(values.name))
      print({ kind, key }, key)
    },
  },
  {
    words: 'key list',
    takes: ['PROJECT'],
    summary: "list the first characters of a project's keys",
    example: 'overdue key list Default',
    async run({ openDeps, positionals: [idOrName = ''], print }) {
      const deps = await openDeps()
      const keys = await listKeys(deps, operatorIn(await getProject(deps, idOrName)))
      const rows = keys.map(({ hint, kind, createdAt, lastUsedAt, name }) => [hint, kind, createdAt, lastUsedAt, name])
      print(keys.map(represent), [{ rows: [['BEGINS', 'KIND', 'CREATED', 'LAST USED', 'NAME'], ...rows] }])
    },
  },
  {
    words: 'key revoke',
    takes: ['PROJECT', 'KEY'],
    summary: 'revoke a key',
    details: 'KEY is the whole key, or the first characters that `overdue key list` shows.',
    example: 'overdue key revoke Default odw_1a2b',
    async run({ openDeps, positionals: [idOrName = '', key = ''], print }) {
      const deps = await openDeps()
      const revoked = await revokeKey(deps, operatorIn(await getProject(deps, idOrName)), key)
      print(represent(revoked), `revoked the ${revoked.kind} key ${revoked.hint}…`)
    },
  },
]
