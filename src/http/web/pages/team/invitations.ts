/** The card for inviting people. It contains a form and a list of open invitations. */
import type { Invitation } from '../../../../domain/account/invitation.ts'
import type { Role } from '../../../../domain/account/role.ts'
import { may, type PersonActor } from '../../../../domain/actor.ts'
import type { PageContext } from '../../context.ts'
import { projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { submit } from '../../parts/forms/buttons.ts'
import { textField } from '../../parts/forms/fields.ts'
import { ROLE_WORDS, roleField } from '../../parts/forms/roles.ts'
import { card } from '../../parts/lists.ts'
import { alertNote } from '../../parts/notes.ts'
import { bdi } from '../../parts/words/text.ts'
import { relativeTime } from '../../parts/words/times.ts'
import type { FormProblems } from '../forms.ts'
import { INVITATIONS, REVOKE } from './paths.ts'

/** The values that the user typed into the form. */
export interface InviteValues {
  readonly email: string
  readonly role: Role
}

interface InviteData extends PageContext {
  readonly actor: PersonActor
  readonly invitations: readonly Invitation[]
  readonly canMail: boolean
  /** note about people who cannot open the links; null if everyone can */
  readonly reach: Html | null
  readonly values: InviteValues
  readonly problems: FormProblems
}

const SHOWN_ONCE = 'You get a link to share. It is shown only once.'

export function inviteCard(data: InviteData): Html {
  const { href, actor, invitations, canMail, reach, values, problems } = data
  const address = textField({
    name: 'email',
    label: 'Email',
    type: 'email',
    value: values.email,
    maxLength: 254,
    help: 'The invitation is sent to this address. Leave this empty to get a link to share.',
    error: problems.fields.email,
    hasFocus: problems.fields.email !== undefined,
  })
  const body = html`<div class="stack"><p>An invitation can be used once and expires after seven days. People without an account can use it, too.${!canMail && ` ${SHOWN_ONCE}`}</p>
${reach}${invitations.length > 0 && invitationTable(data)}
<form class="form" method="post" action="${href(projectPath(actor.project.slug, INVITATIONS))}">
${problems.whole !== null && alertNote(problems.whole)}
${canMail && address}
${roleField(values.role, may(actor, 'own'))}
<div class="acts">${submit({ text: 'Create invitation', look: 'primary' })}</div>
</form></div>`
  return card({ title: 'Invite people', body })
}

function invitationTable({ href, actor, invitations, now, tz }: InviteData): Html {
  const rows = invitations.map(({ lookup, email, role, invitedBy, createdAt, expiresAt }) => {
    const whom = email === null ? html`<span class="muted">a link</span>` : bdi(email)
    const by = invitedBy === null ? 'a command' : bdi(invitedBy.email)
    const label = `Revoke the invitation of ${email ?? 'a link'} as ${ROLE_WORDS[role]}`
    const revoke = html`<form method="post" action="${href(projectPath(actor.project.slug, REVOKE))}">${submit({ text: 'Revoke', isSmall: true, label, field: { name: 'invitation', value: lookup } })}</form>`
    return html`<tr><th scope="row">${whom}</th><td>${ROLE_WORDS[role]}</td><td data-name="Created">${relativeTime(createdAt, now, tz)} by ${by}</td><td data-name="Ends">${relativeTime(expiresAt, now, tz)}</td><td class="act">${revoke}</td></tr>
`
  })
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Open invitations"><table class="table stacks"><thead><tr><th scope="col">For</th><th scope="col">Role</th><th scope="col">Created</th><th scope="col">Ends</th><th scope="col"><span class="sr">Action</span></th></tr></thead><tbody>
${rows}</tbody></table></div>`
}
