/** Notes above the sentence: nobody would hear of the check, or Overdue itself was away. */
import { untoldSentence } from '../../../../../domain/channel/untold.ts'
import { isBefore } from '../../../../../lib/time.ts'
import type { CheckPage } from '../../../../../services/overview/check-page.ts'
import { projectPath } from '../../../href.ts'
import { type Html, html } from '../../../html.ts'
import { linkButton } from '../../../parts/forms/buttons.ts'
import { note } from '../../../parts/notes.ts'
import { sentenceHtml } from '../../../parts/words/sentence.ts'
import { timeOf } from '../../../parts/words/times.ts'
import type { CheckContext } from '../context.ts'

export function headNotes(page: CheckPage, context: CheckContext): Html {
  return html`${untoldNote(page, context)}${outageNote(page, context)}`
}

function untoldNote({ untold, channels }: CheckPage, context: CheckContext): Html | null {
  if (untold === null) return null
  const { canWrite, pageHref, href, slug } = context
  const next =
    channels.length === 0
      ? { text: 'Add an integration', href: href(projectPath(slug, 'integrations')) }
      : { text: 'Choose who is alerted', href: `${pageHref('edit')}?tab=alerts` }
  const choose = canWrite && linkButton({ ...next, isSmall: true })
  const words = html`<b>${sentenceHtml(untoldSentence(untold), context)}</b> If it fails, you see it only here.`
  return note('late', words, choose)
}

/** The last outage, for a check that was made before it. A check that is spared gets no alert before its time is over. */
function outageNote({ outage, view: { check } }: CheckPage, { now, tz }: CheckContext): Html | null {
  if (outage === null || !isBefore(check.createdAt, outage.until)) return null
  const { sparedUntil } = check
  const spared =
    sparedUntil !== null &&
    isBefore(now, sparedUntil) &&
    html` No alert before ${timeOf('clock', sparedUntil, now, tz)}, so that the job can still report.`
  const [from, until] = [outage.from, outage.until].map((at) => timeOf('clock', at, now, tz))
  return note('plain', html`<b>Overdue was away from ${from} to ${until}.</b> Pings of that time are missing.${spared}`)
}
