/** `overdue import crontab` */

import type { ImportNote } from '../../../domain/import/import-note.ts'
import { type CrontabPlan, planCrontab, writeCrontab } from '../../../import/proposals/crontab/crontab.ts'
import type { CrontabLayout } from '../../../import/proposals/crontab/lines.ts'
import { fetchScript, PINGING_WAYS, type Pinging } from '../../../import/proposals/ping-lines.ts'
import { noteOf } from '../../../import/proposals/proposal.ts'
import { unifiedDiff } from '../../../lib/text/line-diff.ts'
import { printable } from '../../../lib/text/text.ts'
import type { Context, ExitStatus } from '../../command.ts'
import { readNamed } from '../../read-files.ts'
import { optionError } from '../../usage.ts'
import { type Artefact, propose } from './proposals.ts'

const BYTES_LIMIT = 1_000_000
const UUID_LENGTH = 36
/** The output stays with cron, which mails it. */
const CURL = { by: 'curl', hasStart: true, hasOutput: false } as const

export async function importCrontab(context: Context): Promise<ExitStatus> {
  const { argument: path, values, input, zone } = context
  const text = (await readNamed(path, input, BYTES_LIMIT)).bytes.toString('latin1')
  const known = layoutOf(path)
  const isSystem = values.system === true && known !== 'anacron'
  const layout = isSystem ? 'system' : (known ?? 'user')
  const { links } = await context.readConfig()
  const pinging = readPinging(String(values.with))
  return propose(context, [text], zone(), (options) => {
    const plan = planCrontab(text, {
      ...options,
      pinging,
      layout,
      isLayoutCertain: known === layout,
      isZoneCertain: false,
      targetLength: UUID_LENGTH,
    })
    const notes = [...plan.notes, ...(plan.checks.length > 0 ? wrapperNotes(pinging, links.siteRoot) : [])]
    return { ...plan, notes, unread: [], write: (urlOf) => diffOf(plan, pinging, urlOf, path) }
  })
}

/** @throws Refusal `option-invalid` */
function readPinging(typed: string): Pinging {
  const by = PINGING_WAYS.find((way) => way === typed)
  if (by === undefined) throw optionError('--with is not valid', `use ${PINGING_WAYS.join(', ')}`)
  return by === 'curl' ? CURL : { by }
}

/** A job whose wrapper is not there does not run. */
function wrapperNotes({ by }: Pinging, siteRoot: string): readonly ImportNote[] {
  if (by === 'curl') return []
  const advice =
    by === 'overdue-run'
      ? `Run there as root: ${fetchScript(siteRoot)}`
      : 'Put the executable there as /usr/local/bin/overdue.'
  return [
    noteOf(
      'to-do',
      'machine of',
      'the jobs',
      `The jobs start by ${by} in /usr/local/bin. Without it, none runs.`,
      advice,
    ),
  ]
}

function diffOf(plan: CrontabPlan, pinging: Pinging, urlOf: (slug: string) => string, path: string): Artefact {
  const name = path === '-' ? 'crontab' : printable(path).replaceAll(/[\n\t]/g, '')
  const diff = unifiedDiff(writeCrontab(plan, pinging, urlOf), name)
  return { json: { diff: Buffer.from(diff, 'latin1').toString() }, text: diff, isBytes: true }
}

/** Null: the path says nothing about it. */
function layoutOf(path: string): CrontabLayout | null {
  if (/(?:^|\/)anacrontab$/.test(path)) return 'anacron'
  if (/(?:^|\/)(?:etc\/crontab|cron\.d\/[^/]+)$/.test(path)) return 'system'
  return /(?:^|\/)(?:crontabs|spool\/cron|cron\/tabs)\/[^/]+$/.test(path) ? 'user' : null
}
