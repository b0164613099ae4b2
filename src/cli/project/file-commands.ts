/** `overdue project export` */
import type { Command } from '../command.ts'

const actions = () => import('./file-actions.ts')

export const projectFileCommands: readonly Command[] = [
  {
    words: 'project export',
    takes: ['PROJECT'],
    usage: '[--with-log] [--output FILE]',
    summary: 'write a project as one JSON file, with its checks, integrations, keys and members',
    details: [
      'The file holds secrets: tokens of integrations, ping URLs, ping keys. FILE is made for this user only, and must not exist yet.',
      'Without --output it is written on standard output. --with-log adds pings with their bodies, flips and alerts.',
    ].join('\n'),
    example: 'overdue project export Default --output default.json',
    options: { 'with-log': { type: 'boolean', default: false }, output: { type: 'string' } },
    run: async (context) => (await actions()).writeFile(context),
  },
]
