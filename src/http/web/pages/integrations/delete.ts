/** `/p/<project>/integrations/<id>/delete`: deletes an integration. The page first explains the consequences. */
import { mailChannelOf } from '../../../../domain/mail/mailing.ts'
import { deleteChannel } from '../../../../services/channels/channel-deletion.ts'
import { type ListedChannel, readListedChannel } from '../../../../services/channels/channel-list.ts'
import { getChannelById } from '../../../../services/channels/channels.ts'
import { integrationPath, projectPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { channelKind, channelName } from '../../parts/channels.ts'
import { linkButton } from '../../parts/forms/buttons.ts'
import { counted } from '../../parts/words/text.ts'
import type { FrameContent, ProjectVisit, Route } from '../../route.ts'
import { formRoutes } from '../check-forms/check-form.ts'
import { formPage } from '../form-page.ts'

export function deleteRoutes(deps: PageDeps): readonly Route[] {
  const find = ({ actor, params }: ProjectVisit) => getChannelById(deps, actor, params.channel ?? '')
  return formRoutes('integrations/:channel/delete', {
    async show(visit) {
      return deletePage(visit, await readListedChannel(deps, visit.actor, await find(visit)))
    },
    async act(visit) {
      await deleteChannel(deps, visit.actor, await find(visit))
      const to = projectPath(visit.actor.project.slug, 'integrations')
      return { kind: 'redirect', to, done: 'integration-deleted' }
    },
  })
}

function deletePage({ actor, site: { href } }: ProjectVisit, listed: ListedChannel): FrameContent {
  const { channel } = listed
  const { slug } = actor.project
  return formPage({
    href,
    title: 'Delete integration',
    heading: html`Delete ${channelName(channel)}?`,
    about: channel.name || channelKind(channel.kind),
    crumbs: [{ path: projectPath(slug, 'integrations'), text: 'Integrations' }],
    action: integrationPath(slug, channel.id, 'delete'),
    fields: html`<ul class="bullets">${lossesOf(listed).map((loss) => html`<li>${loss}</li>`)}</ul>
<p>This can't be undone. To stop its alerts temporarily, unassign it from its checks instead.</p>`,
    button: { text: 'Delete integration', look: 'danger' },
    instead: linkButton({
      text: 'Unassign it instead',
      look: 'quiet',
      href: href(integrationPath(slug, channel.id, 'checks')),
    }),
  })
}

function lossesOf({ channel, activity, groups, members }: ListedChannel): readonly (string | Html)[] {
  const { checks, waiting } = activity
  const mail = mailChannelOf(channel)
  return [
    checks === 0
      ? 'No check is directly assigned to it.'
      : `${counted(checks, 'check', 'checks')} will no longer alert it. Checks without another integration will alert no one.`,
    ...(waiting > 0 ? [`${counted(waiting, 'waiting alert', 'waiting alerts')} to it will never be sent.`] : []),
    ...groups.map((group) => html`The group ${channelName(group)} will lose a member.`),
    ...(members.length > 0 ? [`Its ${counted(members.length, 'member', 'members')} will not be deleted.`] : []),
    ...(mail?.report ? [`Its ${mail.report} report will stop.`] : []),
    ...(mail?.reminder ? [`Its ${mail.reminder} reminder will stop.`] : []),
    'The history of its alerts will also be deleted.',
  ]
}
