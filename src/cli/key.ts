/** `overdue key …` */
import type { StoredKey } from '../domain/project.ts'
import { isoSeconds } from '../domain/time.ts'
import { createKey, getProject, listKeys, revokeKey } from '../services/projects.ts'
import { type Command, table } from './command.ts'

const represent = ({ kind, hint, createdAt }: StoredKey) => ({ kind, begins: hint, created: isoSeconds(createdAt) })

export const keyCommands: readonly Command[] = [
  {
    words: 'key create',
    usage: 'PROJECT [--kind read-write|read-only|ping]',
    summary: 'make a further key (read-write), which is shown only now; the others stay valid',
    options: { kind: { type: 'string', default: 'read-write' } },
    positionals: 1,
    async run({ openDeps, positionals: [idOrName = ''], values, print }) {
      const deps = await openDeps()
      const { kind, key } = await createKey(deps, await getProject(deps, idOrName), String(values.kind))
      print({ kind, key }, key)
    },
  },
  {
    words: 'key list',
    usage: 'PROJECT',
    summary: "show how a project's keys begin",
    positionals: 1,
    async run({ openDeps, positionals: [idOrName = ''], print }) {
      const deps = await openDeps()
      const keys = (await listKeys(deps, await getProject(deps, idOrName))).map(represent)
      const rows = keys.map(({ begins, kind, created }) => [begins, kind, created])
      print(keys, table([['BEGINS', 'KIND', 'CREATED'], ...rows]))
    },
  },
  {
    words: 'key revoke',
    usage: 'PROJECT KEY',
    summary: 'end a key, given whole or by the characters that `key list` shows',
    positionals: 2,
    async run({ openDeps, positionals: [idOrName = '', key = ''], print }) {
      const deps = await openDeps()
      const revoked = await revokeKey(deps, await getProject(deps, idOrName), key)
      print(represent(revoked), `revoked the ${revoked.kind} key ${revoked.hint}…`)
    },
  },
]
