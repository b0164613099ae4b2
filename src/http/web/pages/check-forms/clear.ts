/** `/p/<project>/checks/<check>/clear`: deletes a check's log. */
import type { CheckWithChannels } from '../../../../domain/check/representation.ts'
import { clearCheck } from '../../../../services/checks/checks.ts'
import type { Form } from '../../form.ts'
import { checkPath } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { bdi } from '../../parts/words/text.ts'
import type { FrameContent, ProjectVisit } from '../../route.ts'
import { type CheckForm, checkFormPage, checkWords } from './check-form.ts'
import { confirmedForm, confirmField, pingsSoFar } from './confirm-name.ts'

export function clearForm(deps: PageDeps): CheckForm {
  return confirmedForm('clear', clearPage, async (found, { actor }) => {
    const { check } = await clearCheck(deps, actor, found.check)
    return { kind: 'redirect', to: checkPath(actor.project.slug, check.publicId), done: 'check-cleared' }
  })
}

function clearPage(visit: ProjectVisit, { check }: CheckWithChannels, refused: Form | null): FrameContent {
  return checkFormPage({
    visit,
    check,
    word: 'clear',
    title: 'Clear log',
    heading: html`Clear the log of ${check.name === '' ? checkWords(check) : bdi(check.name)}?`,
    fields: html`<p>${pingsSoFar(check)} The log, the last runs, the uptime history and unsent alerts will be deleted. This can't be undone.</p>
<p>The check becomes new again: it sends no alerts until its next ping, which will be number ${(check.nPings + 1).toLocaleString('en')}. Its settings and its ping URL stay.</p>
${confirmField(check, refused)}`,
    button: { text: 'Clear log', look: 'danger' },
  })
}
