/** Notes above the sentence at the top, for example if the check alerts nobody, or if Overdue itself had an outage. */
import { untoldSentence } from '../../../../../domain/channel/untold.ts'
import { outageHeadline } from '../../../../../domain/sentence/check-head.ts'
import { hidingSentence } from '../../../../../domain/silence/words.ts'
import type { CheckPage } from '../../../../../services/overview/check-page.ts'
import { checkPath, projectPath } from '../../../href.ts'
import { type Html, html } from '../../../html.ts'
import { linkButton } from '../../../parts/forms/buttons.ts'
import { mutePath } from '../../../parts/mute.ts'
import { note } from '../../../parts/notes.ts'
import { sentenceHtml } from '../../../parts/words/sentence.ts'
import type { CheckContext } from '../context.ts'

export function headNotes(page: CheckPage, context: CheckContext): Html {
  return html`${untoldNote(page, context)}${hidingNote(page, context)}${outageNote(page, context)}`
}

function untoldNote({ untold, channels }: CheckPage, context: CheckContext): Html | null {
  if (untold === null) return null
  const { canWrite, pageHref, href, slug } = context
  const next =
    channels.length === 0
      ? { text: 'Add an integration', href: href(projectPath(slug, 'integrations')) }
      : { text: 'Choose who is alerted', href: `${pageHref('edit')}?tab=alerts` }
  const choose = canWrite && linkButton({ ...next, isSmall: true })
  const words = html`<b>${sentenceHtml(untoldSentence(untold), context)}</b> If it fails, you will only see it here.`
  return note('late', words, choose)
}

function hidingNote({ hiding, view: { check } }: CheckPage, context: CheckContext): Html | null {
  if (hiding === null) return null
  const { slug, href, canWrite } = context
  const scope = { checks: [check.publicId], tags: [], isProject: false }
  const address = href(mutePath(slug, scope, checkPath(slug, check.publicId)))
  const look = canWrite && linkButton({ text: 'Look', label: 'Look at the window', isSmall: true, href: address })
  return note('late', html`<b>${hidingSentence(hiding.silence, hiding.hidden)}</b>`, look)
}

function outageNote({ outage, view: { check } }: CheckPage, context: CheckContext): Html | null {
  const said = outageHeadline(check, outage, context.now)
  if (said === null) return null
  return note('plain', html`<b>${sentenceHtml(said.lead, context)}</b> ${sentenceHtml(said.detail, context)}`)
}
