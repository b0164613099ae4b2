/** Implements `overdue import gatus`. */
import { type GatusMove, planGatus, writeMoves } from '../../../import/proposals/gatus.ts'
import type { Context, ExitStatus } from '../../command.ts'
import { readAllNamed } from '../../read-files.ts'
import { type Artefact, propose, unreadNotes } from './proposals.ts'
import { isYamlPath, readTrees } from './yaml-files.ts'

export async function importGatus(context: Context): Promise<ExitStatus> {
  const { positionals, input } = context
  const { files, unread } = await readAllNamed(positionals, input, isYamlPath)
  const read = readTrees(files, 'Give the file as Gatus reads it.')
  return propose(context, [], 'UTC', (options) => {
    const plan = planGatus(read.trees, options)
    return {
      ...plan,
      unread: [...unreadNotes(unread), ...read.unread],
      write: (urlOf) => artefactOf(writeMoves(plan, urlOf)),
    }
  })
}

function artefactOf(moves: readonly GatusMove[]): Artefact {
  return { json: { moves }, text: moves.map(({ before, after }) => `${before} → ${after}\n`).join('') }
}
