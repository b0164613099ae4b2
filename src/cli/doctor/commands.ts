/** `overdue doctor`: problems of the monitoring of a check. */
import { type Command, PROJECT } from '../command.ts'

const actions = () => import('./actions.ts')

export const doctorCommands: readonly Command[] = [
  {
    words: 'doctor',
    takes: ['[CHECK]'],
    usage: '[--project NAME_OR_ID] [--not-now] | --stdin',
    summary: 'say what does not fit between the settings of checks and their logs',
    details: [
      'It looks at the checks of a project now, and prints the first advice of each; of a CHECK, all. The exit status is 1 if there is any.',
      '--not-now puts off the first advice of the CHECK: for 30 days, or until its fix would be another one.',
      '',
      'With --stdin it reads cases from standard input, one JSON object a line, and answers each with one line: {"advice": …, "variant": …,',
      '"fix": …, "sentence": …}, which are null when nothing is wrong, or {"error": …}. A case with "try" is answered with the',
      'alerts that those settings would have sent. docs/cli.md describes a case. It needs neither a database nor a server.',
      'The exit status is 2 if a line could not be read.',
    ].join('\n'),
    example: 'overdue doctor --stdin < cases.jsonl',
    options: {
      ...PROJECT,
      'not-now': { type: 'boolean', default: false },
      stdin: { type: 'boolean', default: false },
    },
    run: async (context) => (await actions()).diagnose(context),
  },
]
