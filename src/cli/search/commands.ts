/** Describes `overdue search`. */
import type { Command } from '../command.ts'

const actions = () => import('./actions.ts')

export const searchCommands: readonly Command[] = [
  {
    words: 'search',
    takes: ['WORDS...'],
    summary: 'search checks, job output and channels in all projects',
    details: [
      'Checks are found by name, tag, slug and description, pings by their output. All words must match; three letters or more match',
      "the beginning of a word. Several words in one argument are a phrase: 'no space left'. The newest 50 pings are printed.",
    ].join('\n'),
    example: "overdue search backup 'no space left'",
    run: async (context) => (await actions()).search(context),
  },
]
