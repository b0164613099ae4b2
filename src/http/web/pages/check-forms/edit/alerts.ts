/** The Alerts tab. It shows which integrations receive a check's alerts, and how many alerts they would have received. */
import type { Woken } from '../../../../../domain/advice/woken.ts'
import { messagesSentence } from '../../../../../domain/advice/woken-sentence.ts'
import { type Channel, countHearing } from '../../../../../domain/channel/channel.ts'
import type { CheckWithChannels } from '../../../../../domain/check/representation.ts'
import { presentAlerts } from '../../../../../services/advice/try-change.ts'
import { listChannels } from '../../../../../services/channels/channels.ts'
import { updateCheck } from '../../../../../services/checks/checks.ts'
import { checkPath, projectPath } from '../../../href.ts'
import { type Html, type HtmlValue, html } from '../../../html.ts'
import type { PageDeps } from '../../../page.ts'
import { integrationSwitches, readIntegrations } from '../../../parts/forms/integration-switches.ts'
import { card } from '../../../parts/lists.ts'
import { note } from '../../../parts/notes.ts'
import { sentenceHtml, type Zone } from '../../../parts/words/sentence.ts'
import type { ProjectVisit } from '../../../route.ts'
import { type EditForm, editPage } from '../edit-page.ts'

export function alertsForm(deps: PageDeps): EditForm {
  return {
    tab: 'alerts',
    async show(found, visit) {
      const alerted = await alertedBy(deps, visit, found)
      const { channels, present } = alerted
      return editPage({
        visit,
        found,
        tab: 'alerts',
        help: 'channels',
        fields: card({
          title: 'Alerts go to',
          body: html`<div class="picks">${integrationSwitches(channels, present)}</div>${alertedPart(alerted, present)}`,
        }),
        button: channels.length === 0 ? null : 'Save alerts',
        into: '#told',
        isRefused: false,
      })
    },
    async act({ check }, { actor, form }) {
      const ids = readIntegrations(form, await listChannels(deps, actor))
      await updateCheck(deps, actor, check, { channels: ids.join(',') }, false)
      return { kind: 'redirect', to: checkPath(actor.project.slug, check.publicId), done: 'integrations-saved' }
    },
    async preview(found, visit) {
      const alerted = await alertedBy(deps, visit, found)
      return alertedPart(alerted, readIntegrations(visit.form, alerted.channels))
    },
  }
}

/** The check's integrations, and the alerts that each would have received. */
interface Alerted extends Zone {
  /** all of the project's channels */
  readonly channels: readonly Channel[]
  /** ids of the channels that are assigned to the check */
  readonly present: readonly string[]
  readonly woken: Woken
  /** link to the list of integrations, including the SITE_ROOT path prefix */
  readonly listHref: string
}

async function alertedBy(
  deps: PageDeps,
  { actor, account, site }: ProjectVisit,
  { check, channelIds }: CheckWithChannels,
): Promise<Alerted> {
  const [channels, woken] = await Promise.all([listChannels(deps, actor), presentAlerts(deps, actor, check)])
  const listHref = site.href(projectPath(actor.project.slug, 'integrations'))
  return { channels, present: channelIds, woken, listHref, now: deps.now(), tz: account.tz }
}

/** @param chosen ids of the selected integrations */
function alertedPart(alerted: Alerted, chosen: readonly string[]): Html {
  const { channels, present, woken } = alerted
  const hearing = countHearing(chosen, channels)
  const words = messagesSentence(woken, countHearing(present, channels), hearing)
  return html`<div id="told" role="status">${hearing === 0 && noOneNote(alerted, chosen)}${words.length > 0 && html`<p class="help">${sentenceHtml(words, alerted)}</p>`}</div>`
}

function noOneNote({ channels, listHref }: Alerted, chosen: readonly string[]): HtmlValue {
  const why =
    channels.length === 0
      ? html` The project has no integrations. <a href="${listHref}">Add an integration</a>`
      : chosen.length > 0 && ' The selected integrations are turned off or not confirmed.'
  return note('late', html`<b>This check alerts no one.</b>${why}`)
}
