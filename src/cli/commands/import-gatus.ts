/** `overdue import gatus` */
import { type GatusMove, planGatus, writeMoves } from '../../domain/import/gatus.ts'
import type { Command } from '../command.ts'
import { readAllNamed } from '../read-files.ts'
import { type Artefact, PROPOSAL_DETAILS, PROPOSAL_OPTIONS, PROPOSAL_USAGE, propose, unreadNotes } from './proposals.ts'
import { isYamlPath, readTrees } from './yaml-files.ts'

export const importGatusCommands: readonly Command[] = [
  {
    words: 'import gatus',
    takes: ['FILE...'],
    usage: PROPOSAL_USAGE,
    summary: 'propose checks for external endpoints of Gatus, and print which URLs replace which',
    details: [
      'FILE is a configuration of Gatus, or its folder; - is standard input. Endpoints that Gatus asks itself are left out.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example: "printf 'external-endpoints:\\n- {name: backup, heartbeat: {interval: 24h}}\\n' | overdue import gatus -",
    options: PROPOSAL_OPTIONS,
    async run(context) {
      const { positionals } = context
      const { files, unread } = await readAllNamed(positionals, isYamlPath)
      await propose(context, [], 'UTC', (options) => {
        const plan = planGatus(files.flatMap(readTrees), options)
        return {
          ...plan,
          notes: [...unreadNotes(unread), ...plan.notes],
          write: (urlOf) => artefactOf(writeMoves(plan, urlOf)),
        }
      })
      return 0
    },
  },
]

function artefactOf(moves: readonly GatusMove[]): Artefact {
  return { json: { moves }, text: moves.map(({ before, after }) => `${before} → ${after}\n`).join('') }
}
