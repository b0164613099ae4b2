/** Describes `overdue doctor`. */
import { type Command, PROJECT } from '../command.ts'

const actions = () => import('./actions.ts')

export const doctorCommands: readonly Command[] = [
  {
    words: 'doctor',
    takes: ['[CHECK]'],
    usage: '[--project NAME_OR_ID] [--not-now] | --stdin',
    summary: 'report checks whose settings do not fit their logs',
    details: [
      'It examines all checks of a project and prints the first advice on each. With CHECK, it prints all advice on that check. The exit status is 1 if there is any.',
      '--not-now hides the first advice on CHECK for 30 days, or until Overdue would suggest a different fix.',
      '',
      'With --stdin, it reads cases from standard input, one JSON object per line, and answers each with one line: {"advice": …, "variant": …,',
      '"fix": …, "sentence": …}, all null if nothing is wrong, or {"error": …}. The answer to a case with "try" lists the',
      'alerts that those settings would have sent. docs/cli.md describes the cases. This needs neither a database nor a server.',
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
