/** Reads the option `--with`, which names the program that sends the pings before and after a job. */

import type { ImportNote } from '../../../domain/import/import-note.ts'
import { fetchScript } from '../../../domain/ping/script.ts'
import type { PingingWay } from '../../../import/proposals/ping-lines.ts'
import { noteOf } from '../../../import/proposals/proposal.ts'
import { optionError } from '../../usage.ts'

/** @param ways the programs that the scheduler supports. @throws Refusal `option-invalid` */
export function readWay<Way extends PingingWay>(typed: string, ways: readonly Way[]): Way {
  const by = ways.find((way) => way === typed)
  if (by === undefined) throw optionError('--with is not valid', `use ${ways.join(', ')}`)
  return by
}

/**
 * Returns notes on installing the wrapper. If the wrapper is missing, the job does not run.
 * @param siteRoot URL of the server, which provides the script
 */
export function wrapperNotes(by: PingingWay, siteRoot: string): readonly ImportNote[] {
  if (by === 'curl') return []
  const reason = `The jobs run through ${by} in /usr/local/bin. Without it, no job runs.`
  const advice =
    by === 'overdue-run'
      ? `Run there as root: ${fetchScript(siteRoot)}`
      : 'Put the executable there as /usr/local/bin/overdue.'
  return [noteOf('to-do', 'machine of', 'the jobs', reason, advice)]
}
