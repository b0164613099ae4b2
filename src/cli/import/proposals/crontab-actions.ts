/** Implements `overdue import crontab`. */

import { type CrontabPlan, planCrontab, writeCrontab } from '../../../import/proposals/crontab/crontab.ts'
import type { CrontabLayout } from '../../../import/proposals/crontab/lines.ts'
import { PINGING_WAYS, type Pinging } from '../../../import/proposals/ping-lines.ts'
import { unifiedDiff } from '../../../lib/text/line-diff.ts'
import { printable } from '../../../lib/text/text.ts'
import type { Context, ExitStatus } from '../../command.ts'
import { readNamed } from '../../read-files.ts'
import { type Artefact, propose } from './proposals.ts'
import { readWay, wrapperNotes } from './with-option.ts'

const BYTES_LIMIT = 1_000_000
const UUID_LENGTH = 36
/** Ping settings for crontab jobs that use curl. Pings do not include the output, because cron mails it. */
const CURL = { by: 'curl', hasStart: true, hasOutput: false } as const

export async function importCrontab(context: Context): Promise<ExitStatus> {
  const { argument: path, values, input, zone } = context
  const text = (await readNamed(path, input, BYTES_LIMIT)).bytes.toString('latin1')
  const known = layoutOf(path)
  const isSystem = values.system === true && known !== 'anacron'
  const layout = isSystem ? 'system' : (known ?? 'user')
  const { links } = await context.readConfig()
  const by = readWay(String(values.with), PINGING_WAYS)
  const pinging = by === 'curl' ? CURL : { by }
  return propose(context, [text], zone(), (options) => {
    const plan = planCrontab(text, {
      ...options,
      pinging,
      layout,
      isLayoutCertain: known === layout,
      isZoneCertain: false,
      targetLength: UUID_LENGTH,
    })
    const notes = [...plan.notes, ...(plan.checks.length > 0 ? wrapperNotes(by, links.siteRoot) : [])]
    return { ...plan, notes, unread: [], write: (urlOf) => diffOf(plan, pinging, urlOf, path) }
  })
}

function diffOf(plan: CrontabPlan, pinging: Pinging, urlOf: (slug: string) => string, path: string): Artefact {
  const name = path === '-' ? 'crontab' : printable(path).replaceAll(/[\n\t]/g, '')
  const diff = unifiedDiff(writeCrontab(plan, pinging, urlOf), name)
  return { json: { diff: Buffer.from(diff, 'latin1').toString() }, text: diff, isBytes: true }
}

/** Returns the crontab layout that the path implies, or null if it implies none. */
function layoutOf(path: string): CrontabLayout | null {
  if (/(?:^|\/)anacrontab$/.test(path)) return 'anacron'
  if (/(?:^|\/)(?:etc\/crontab|cron\.d\/[^/]+)$/.test(path)) return 'system'
  return /(?:^|\/)(?:crontabs|spool\/cron|cron\/tabs)\/[^/]+$/.test(path) ? 'user' : null
}
