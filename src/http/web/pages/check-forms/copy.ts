/** `/p/<project>/checks/<check>/copy`: copies a check. */
import { copyCheck } from '../../../../services/checks/checks.ts'
import { checkPath } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { type CheckForm, checkFormPage, checkWords } from './check-form.ts'

export function copyForm(deps: PageDeps): CheckForm {
  return {
    word: 'copy',
    show: ({ check, channelIds }, visit) =>
      checkFormPage({
        visit,
        check,
        word: 'copy',
        title: 'Copy check',
        fields: html`<p>The copy of ${checkWords(check)} has the same schedule, tags, description and filtering rules. ${toldWords(channelIds.length)} The copy has “(copy)” in its name, its own ping URL, and an empty log.</p>`,
        button: { text: 'Copy check', look: 'primary' },
      }),
    async act({ check }, { actor }) {
      const { check: copy } = await copyCheck(deps, actor, check)
      return { kind: 'redirect', to: checkPath(actor.project.slug, copy.publicId), done: 'check-copied' }
    },
  }
}

function toldWords(channels: number): string {
  if (channels === 0) return 'Like the original, it has no integrations.'
  return channels === 1
    ? 'Its alerts go to the same integration.'
    : `Its alerts go to the same ${channels} integrations.`
}
