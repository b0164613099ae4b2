/** The table of a project's members. */
import type { PersonActor } from '../../../../domain/actor.ts'
import { mayChange, TEAM_LIMIT, type Team, type TeamMember } from '../../../../services/accounts/team.ts'
import type { PageContext } from '../../context.ts'
import { type Html, html } from '../../html.ts'
import { empty } from '../../parts/empty.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { ROLE_WORDS } from '../../parts/forms/roles.ts'
import { card } from '../../parts/lists.ts'
import { note } from '../../parts/notes.ts'
import { bdi } from '../../parts/words/text.ts'
import { relativeTime } from '../../parts/words/times.ts'
import { memberPath } from './paths.ts'

/** Data shared by the parts of the team page. */
export interface TeamData extends PageContext {
  readonly actor: PersonActor
  readonly team: Team
}

export function membersTable(data: TeamData): Html {
  const { members, isCut } = data.team
  if (members.length === 0) {
    return empty({
      title: 'This project has no members',
      text: 'Only administrators can see it. Invite an owner below.',
    })
  }
  const rows = members.map((member) => row(data, member))
  const table = html`<div class="scroll" tabindex="0" role="group" aria-label="Members"><table class="table stacks"><thead><tr><th scope="col">Email</th><th scope="col">Role</th><th scope="col">Last seen</th><th scope="col">In the project since</th><th scope="col"><span class="sr">Action</span></th></tr></thead><tbody>
${rows}</tbody></table></div>`
  const cut = isCut && note('plain', `Only the first ${TEAM_LIMIT} members are shown.`)
  return card({ title: 'Members', body: html`<div class="stack">${table}${cut}</div>` })
}

function row({ href, actor, now, tz }: TeamData, member: TeamMember): Html {
  const { accountId, email, role, lastSeenAt, createdAt, isSuspended } = member
  const isOwn = accountId === actor.by.accountId
  const seen = lastSeenAt === null ? html`<span class="muted">never</span>` : relativeTime(lastSeenAt, now, tz)
  const change =
    mayChange(actor, member) &&
    linkButton({
      text: 'Change…',
      isSmall: true,
      label: `Change… ${email}`,
      href: href(memberPath(actor.project.slug, accountId)),
    })
  return html`<tr><th scope="row">${bdi(email)}${isOwn && html` <small class="muted">you</small>`}${isSuspended && html` <small class="muted">suspended</small>`}</th><td>${ROLE_WORDS[role]}</td><td data-name="Last seen">${seen}</td><td data-name="Since">${relativeTime(createdAt, now, tz)}</td><td class="act">${change}</td></tr>
`
}
