/** `/p/<project>/checks/<check>/delete`: deletes a check. */
import type { CheckWithChannels } from '../../../../domain/check/representation.ts'
import { deleteCheck } from '../../../../services/checks/checks.ts'
import type { Form } from '../../form.ts'
import { projectPath } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { bdi, counted } from '../../parts/words/text.ts'
import type { FrameContent, ProjectVisit } from '../../route.ts'
import { type CheckForm, checkFormPage, checkWords } from './check-form.ts'
import { confirmedForm, confirmField, pingsSoFar } from './confirm-name.ts'

export function deleteForm(deps: PageDeps): CheckForm {
  return confirmedForm('delete', deletePage, async (found, { actor }) => {
    await deleteCheck(deps, actor, found.check)
    return { kind: 'redirect', to: projectPath(actor.project.slug, 'checks'), done: 'checks-deleted' }
  })
}

function deletePage(visit: ProjectVisit, { check, channelIds }: CheckWithChannels, refused: Form | null): FrameContent {
  return checkFormPage({
    visit,
    check,
    word: 'delete',
    title: 'Delete check',
    heading: html`Delete ${check.name === '' ? checkWords(check) : bdi(check.name)}?`,
    fields: html`<p>${pingsSoFar(check)} Its log and its uptime history will also be deleted. Pings to its URL will get a 404. This can't be undone.</p>
<p>${untoldWords(channelIds.length)}</p>
${confirmField(check, refused)}`,
    button: { text: 'Delete check', look: 'danger' },
  })
}

function untoldWords(channels: number): string {
  if (channels === 0) return 'It has no integrations.'
  return `${counted(channels, 'integration', 'integrations')} will no longer get its alerts.`
}
