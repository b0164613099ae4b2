/** Describes the `overdue key` commands. */
import { KEY_KINDS } from '../../domain/key-kind.ts'
import type { Command } from '../command.ts'

const actions = () => import('./actions.ts')

export const keyCommands: readonly Command[] = [
  {
    words: 'key create',
    takes: ['PROJECT'],
    summary: 'create another key (shown once)',
    details: 'The default kind is read-write. The name describes the use of the key. Other keys stay valid.',
    example: 'overdue key create Default --kind read-only --name wall',
    options: {
      kind: { type: 'string', default: 'read-write', choices: KEY_KINDS },
      name: { type: 'string', value: 'NAME', default: '' },
    },
    run: async (context) => (await actions()).create(context),
  },
  {
    words: 'key list',
    takes: ['PROJECT'],
    summary: "list the first characters of a project's keys",
    details: 'For a ping key, it shows how many checks with a slug it pinged in the last 7 days.',
    example: 'overdue key list Default',
    run: async (context) => (await actions()).list(context),
  },
  {
    words: 'key revoke',
    takes: ['PROJECT', 'KEY'],
    summary: 'revoke a key',
    details: 'KEY is the whole key, or the first characters that `overdue key list` shows.',
    example: 'overdue key revoke Default odw_1a2b',
    run: async (context) => (await actions()).revoke(context),
  },
]
