/** `overdue key …` */
import { operatorIn } from '../../domain/actor.ts'
import { KEY_KINDS, type StoredKey } from '../../domain/project.ts'
import { isoSeconds } from '../../lib/time.ts'
import { createKey, getProject, listKeys, revokeKey } from '../../services/projects.ts'
import type { Command } from '../command.ts'

const represent = ({ kind, hint, createdAt }: StoredKey) => ({ kind, begins: hint, created: isoSeconds(createdAt) })

export const keyCommands: readonly Command[] = [
  {
    words: 'key create',
    takes: ['PROJECT'],
    usage: '[--kind read-write|read-only|ping]',
    summary: 'create another key (shown once)',
    details: 'The default kind is read-write. The other keys stay valid.',
    example: 'overdue key create Default --kind read-only',
    options: { kind: { type: 'string', default: 'read-write', choices: KEY_KINDS } },
    async run({ openDeps, positionals: [idOrName = ''], values, print }) {
      const deps = await openDeps()
      const { kind, key } = await createKey(deps, operatorIn(await getProject(deps, idOrName)), String(values.kind))
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
      const rows = keys.map(({ hint, kind, createdAt }) => [hint, kind, createdAt])
      print(keys.map(represent), [{ rows: [['BEGINS', 'KIND', 'CREATED'], ...rows] }])
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
