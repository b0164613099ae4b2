/** `overdue import project` */
import type { Command } from '../command.ts'
import { IMPORT_OPTIONS } from './options.ts'

const actions = () => import('./project-actions.ts')

export const importProjectCommands: readonly Command[] = [
  {
    words: 'import project',
    takes: ['FILE'],
    usage: '[--secret-key-file FILE | --secret-key KEY] [--apply]',
    summary: 'bring a project here from a file of `overdue project export`; without --apply, say what would happen',
    details: [
      'API keys need SECRET_KEY of the server that wrote the file, unless this server has the same: --secret-key-file reads it from a file, or',
      'from standard input for -. Other users of the machine can see what --secret-key says. Nothing is sent.',
      'Repeated later, it adds newer pings to what nobody has changed here.',
    ].join('\n'),
    example: 'overdue import project default.json --apply',
    options: { 'secret-key': { type: 'string' }, 'secret-key-file': { type: 'string' }, ...IMPORT_OPTIONS },
    run: async (context) => (await actions()).importProject(context),
  },
]
