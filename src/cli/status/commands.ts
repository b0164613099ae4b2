/** Describes `overdue status`. */
import { type Command, PROJECT } from '../command.ts'

const actions = () => import('./actions.ts')

export const statusCommands: readonly Command[] = [
  {
    words: 'status',
    summary: 'show what is wrong now in all projects or in one, and the last night',
    details: [
      'It prints how many checks are down and late, each with its reason and who was alerted, and the last night.',
      'Times are in the time zone of this machine. The exit status is 1 if a check is down.',
    ].join('\n'),
    example: 'overdue status',
    options: PROJECT,
    run: async (context) => (await actions()).status(context),
  },
]
