/** Fills in the newest ping that the check's rules ignored, so that the user can test other rules on it: `…/edit?tab=rules&try=newest`. */
import type { Check } from '../../../../../domain/check/check.ts'
import { within } from '../../../../../lib/text/text.ts'
import { readLog } from '../../../../../services/pings/log.ts'
import { openPing } from '../../../../../services/pings/opened-ping.ts'
import type { PageDeps } from '../../../page.ts'
import type { ProjectVisit } from '../../../route.ts'
import { type SampleValues, TEXT_LIMIT } from './sample-fields.ts'

/** Number of recent log entries to search. Older entries are not relevant. */
const LOOKED_AT = 50

/** Returns the ping as a sample; null if the rules ignored no recent ping. */
export async function newestIgnored(
  deps: PageDeps,
  { actor }: ProjectVisit,
  check: Check,
): Promise<Pick<SampleValues, 'via' | 'method' | 'subject' | 'text'> | null> {
  const { entries } = await readLog(deps, actor, check, { limit: LOOKED_AT })
  const ignored = entries.find(({ kind }) => kind === 'ign')
  if (ignored === undefined) return null
  const { entry, body } = await openPing(deps, actor, check, ignored.n)
  const via = entry.scheme === 'email' ? 'email' : 'http'
  const [subject, text] =
    body.kind === 'email'
      ? [body.mail.subject ?? '', body.mail.text ?? '']
      : ['', body.kind === 'text' && !body.isBinary ? body.text : '']
  return { via, method: entry.method, subject, text: within(text, TEXT_LIMIT) }
}
