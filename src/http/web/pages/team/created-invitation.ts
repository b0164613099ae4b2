/** `/p/<project>/team/invitations/created`: shows the link of a new invitation once. */
import { isToken } from '../../../../domain/account/session.ts'
import { projectPath } from '../../href.ts'
import { html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { copyable } from '../../parts/lists.ts'
import { siteNote } from '../../parts/reach-note.ts'
import type { PageAnswer, ProjectVisit, Route } from '../../route.ts'
import { projectRoute } from '../new-route.ts'
import { shownOnce, toShownOnce } from '../shown-once.ts'
import { INVITED, TEAM } from './paths.ts'

function placeOf({ actor }: ProjectVisit) {
  return { name: 'overdue_invitation', path: projectPath(actor.project.slug, INVITED) }
}

/** @param url the invitation's URL, which ends with the token */
export function toCreatedInvitation(deps: PageDeps, visit: ProjectVisit, url: string): PageAnswer {
  return toShownOnce(deps, visit, placeOf(visit), url.slice(url.lastIndexOf('/') + 1))
}

export function createdInvitationRoutes(deps: PageDeps): readonly Route[] {
  const { links } = deps.site
  return [
    projectRoute('GET', INVITED, 'manage', (visit) =>
      shownOnce(deps, visit, placeOf(visit), {
        title: 'New invitation',
        crumbs: [{ path: projectPath(visit.actor.project.slug, TEAM), text: 'Team' }],
        back: 'the team',
        isSecret: isToken,
        shown: (token) =>
          html`<p>Copy the link now and send it to the person. The link can be used once and expires after seven days. It will not be shown again, because the server stores only its hash. Anyone with the link can join.</p>
${copyable(`${links.siteRoot}/invitation/${token}`, 'Link of the invitation')}${siteNote(links, visit.account.isAdministrator)}`,
        ended:
          'The link has been shown already, or was created more than a minute ago. If you have not copied it, revoke the invitation and create a new one.',
      }),
    ),
  ]
}
