/** Composes the content of reports and reminders: the email without its recipient. */
import { type MailBlock, ROWS_LIMIT } from '../../domain/mail/layout.ts'
import type { MailChannel } from '../../domain/mail/mail-channel.ts'
import type { MailingKind } from '../../domain/mail/mailing.ts'
import { reminderBlocks, reminderTitle, stillDown } from '../../domain/mail/reminder.ts'
import { listedRows, reportBlocks } from '../../domain/mail/report.ts'
import { oneLine } from '../../lib/text/text.ts'
import type { Instant } from '../../lib/time.ts'
import type { Deps } from '../common/deps.ts'
import { downSentences } from './down-sentences.ts'
import { loadReport } from './reports.ts'

export type MailingWordsDeps = Pick<Deps, 'store' | 'now' | 'site'>

interface MailingWords {
  readonly title: string
  readonly subject: string
  readonly tone: 'bad' | 'plain'
  readonly blocks: readonly MailBlock[]
  /** the reason why the recipient gets the email, as a sentence */
  readonly reason: string
}

export interface MailingDraft {
  readonly kind: MailingKind
  readonly projectId: string
  readonly projectName: string
  readonly settings: Pick<MailChannel, 'report' | 'reminder' | 'tz'>
  /** the report's slot, see `MailSchedule`; a reminder always describes the current state */
  readonly slot: Instant
}

/** @returns null if there is nothing to send, because the settings turn it off, the project is not in use, or no check is down */
export function mailingWords(deps: MailingWordsDeps, draft: MailingDraft): Promise<MailingWords | null> {
  return draft.kind === 'report' ? reportWords(deps, draft) : reminderWords(deps, draft)
}

async function reportWords(
  deps: MailingWordsDeps,
  { projectId, projectName, settings: { report: period, tz }, slot }: MailingDraft,
): Promise<MailingWords | null> {
  const report = period && (await loadReport(deps, { project: { id: projectId } }, period, tz, slot))
  if (!report?.isWorthSending) return null
  const down = listedRows(report).filter(({ status }) => status === 'down')
  const ids = down.map(({ checkId }) => checkId)
  const sentences = await downSentences(deps, ids, tz, deps.now())
  return {
    title: report.title,
    subject: `${report.title}: ${oneLine(projectName)} (${deps.site.name})`,
    tone: 'plain',
    blocks: reportBlocks(report, projectName, deps.site.links, tz, sentences),
    reason: `You get ${period} reports ${whose(deps, projectName)}.`,
  }
}

async function reminderWords(
  deps: MailingWordsDeps,
  { projectId, projectName, settings: { tz, reminder } }: MailingDraft,
): Promise<MailingWords | null> {
  const at = deps.now()
  const down = stillDown(await deps.store.mailings.listDownCandidates(projectId, at), at)
  if (down.length === 0) return null
  const listed = down.slice(0, ROWS_LIMIT).map(({ check }) => check.id)
  const sentences = await downSentences(deps, listed, tz, at)
  const title = reminderTitle(down)
  return {
    title,
    subject: title,
    tone: 'bad',
    blocks: reminderBlocks(down, projectName, deps.site.links, tz, sentences),
    reason: `You get ${reminder} reminders ${whose(deps, projectName)} while a check is down.`,
  }
}

function whose({ site }: Pick<Deps, 'site'>, projectName: string): string {
  return `for project ${oneLine(projectName)} on ${site.name}`
}
