/** The page that deletes an account. */

import type { Account } from '../../../../../domain/account/account.ts'
import type { Project } from '../../../../../domain/project.ts'
import type { Form } from '../../../form.ts'
import type { Href } from '../../../href.ts'
import { html } from '../../../html.ts'
import { nameToType } from '../../../parts/forms/confirm-name.ts'
import { alertNote } from '../../../parts/notes.ts'
import { bdi } from '../../../parts/words/text.ts'
import type { FrameContent } from '../../../route.ts'
import { formPage } from '../../form-page.ts'
import { ADMIN_TABS } from '../tabs.ts'
import { accountPath } from './paths.ts'

/**
 * @param alone projects that this account is the only owner of
 * @param refused the submitted form if its email address was wrong; otherwise null
 * @param problem reason why the deletion was rejected; null if it was not rejected
 */
export function deleteAccountPage(
  href: Href,
  account: Account,
  alone: readonly Project[],
  refused: Form | null,
  problem: string | null,
): FrameContent {
  const { id, email } = account
  const names = alone.map(({ name }) => html`<li>${bdi(name)}</li>`)
  return formPage({
    href,
    title: 'Delete account',
    heading: html`Delete ${bdi(email)}?`,
    crumbs: [
      { path: ADMIN_TABS.accounts.path, text: 'Accounts' },
      { path: accountPath(id), text: email },
    ],
    action: accountPath(id, 'delete'),
    fields: html`${problem !== null && alertNote(problem)}<p>The account loses its roles in projects, and its sessions end. Projects, checks and API keys stay, including API keys that the person knows. This can't be undone.</p>
${names.length > 0 && html`<p>Nobody else owns these projects. They will have no owner, and only administrators can manage them:</p><ul class="names">${names}</ul>`}
${nameToType({ name: email, id }, refused)}`,
    button: { text: 'Delete account', look: 'danger' },
  })
}
