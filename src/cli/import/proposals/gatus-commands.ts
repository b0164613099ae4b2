/** `overdue import gatus` */
import type { Command } from '../../command.ts'
import { PROPOSAL_DETAILS, PROPOSAL_OPTIONS, PROPOSAL_USAGE } from './options.ts'

const actions = () => import('./gatus-actions.ts')

export const importGatusCommands: readonly Command[] = [
  {
    words: 'import gatus',
    takes: ['FILE...'],
    usage: PROPOSAL_USAGE,
    summary: 'propose checks for external endpoints of Gatus, and print which URLs replace which',
    details: [
      'FILE is a configuration of Gatus, or its folder; - is standard input. Endpoints that Gatus asks itself are left out. A document that',
      'cannot be read is left out, too, and named with its line. Variables of the environment are not filled in: envsubst does that.',
      ...PROPOSAL_DETAILS,
    ].join('\n'),
    example: "printf 'external-endpoints:\\n- {name: backup, heartbeat: {interval: 24h}}\\n' | overdue import gatus -",
    options: PROPOSAL_OPTIONS,
    run: async (context) => (await actions()).importGatus(context),
  },
]
