/** `overdue status`: current problems, and a summary of the night. */
import { type Command, PROJECT } from '../command.ts'

const actions = () => import('./actions.ts')

export const statusCommands: readonly Command[] = [
  {
    words: 'status',
    summary: 'say what is wrong now in all projects, or in one, and how the night went',
    details: [
      'It prints what the overview says: how many checks are down and late, each of them with why and who was alerted, and the last night.',
      'Times are in the time zone of this machine. The exit status is 1 if a check is down, so that a script can ask.',
    ].join('\n'),
    example: 'overdue status',
    options: PROJECT,
    run: async (context) => (await actions()).status(context),
  },
]
